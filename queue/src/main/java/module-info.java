/** Durable embedded FIFO disk queue: no run-time dependency, no JVM flag. */
@SuppressWarnings("module") // the command line is compiled later
module dev.touchstone.queue {
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;

    exports dev.touchstone.queue;
    exports dev.touchstone.queue.migrate;
    exports dev.touchstone.queue.inspect to
            dev.touchstone.queue.cli;
}
