/** Durable embedded FIFO disk queue: no run-time dependency, no JVM flag. */
@SuppressWarnings({"module", "requires-automatic"}) // the command line is compiled later; lz4-java has no module-info
module dev.touchstone.queue {
    requires static com.google.errorprone.annotations;
    requires static org.jspecify;
    requires static org.lz4.java;

    exports dev.touchstone.queue;
    exports dev.touchstone.queue.migrate;
    exports dev.touchstone.queue.log to
            dev.touchstone.queue.replicated;
    exports dev.touchstone.queue.replication to
            dev.touchstone.queue.replicated;
    exports dev.touchstone.queue.inspect to
            dev.touchstone.builds,
            dev.touchstone.index.server,
            dev.touchstone.queue.cli;

    uses dev.touchstone.queue.replication.ReplicationEngine;
}
