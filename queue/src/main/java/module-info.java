/** Durable embedded FIFO disk queue: no run-time dependency, no JVM flag. */
module dev.touchstone.queue {
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;

    exports dev.touchstone.queue;
    exports dev.touchstone.queue.migrate;
}
