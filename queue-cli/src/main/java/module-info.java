/** Verifies, repairs and shows the folders of queues: a command line only. */
module dev.touchstone.queue.cli {
    requires static org.jspecify;
    requires dev.touchstone.cli;
    requires dev.touchstone.queue;
    requires com.fasterxml.jackson.core;
    requires info.picocli;

    opens dev.touchstone.queue.cli to
            info.picocli;
}
