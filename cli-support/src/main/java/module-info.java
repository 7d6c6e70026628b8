/** Support for command lines built with picocli: streams, failures, exit codes and suggestions. */
module dev.touchstone.cli {
    requires static org.jspecify;
    requires transitive info.picocli;

    exports dev.touchstone.cli;
}
