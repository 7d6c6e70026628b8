/** Shows Compact schemas and records, and holds schemas against the accepted ones: a command line only. */
module dev.touchstone.serialization.cli {
    requires static org.jspecify;
    requires dev.touchstone.cli;
    requires dev.touchstone.serialization;
    requires dev.touchstone.serialization.json;
    requires com.fasterxml.jackson.core;
    requires info.picocli;

    opens dev.touchstone.serialization.cli to
            info.picocli;
}
