package dev.touchstone.index.server;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of all commands on a store that no server has open. */
final class StoreFolder {
    @Option(names = "--store", paramLabel = "DIR", required = true, description = "Folder of the store.")
    Path path = Path.of("");

    @Option(names = "--json", description = "Print one JSON document.")
    boolean isJson;
}
