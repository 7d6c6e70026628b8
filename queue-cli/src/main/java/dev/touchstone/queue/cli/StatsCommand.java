package dev.touchstone.queue.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.queue.inspect.FolderReport;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code stats}: shows sizes. */
@Command(
        name = "stats",
        description = {
            "Shows sizes, sequences, files and cursors of a queue.",
            "",
            "Reads what opening the queue would read, and writes nothing. Of a queue that is open it shows about what "
                    + "is there now."
        })
final class StatsCommand implements Callable<Integer> {
    @Mixin
    FolderParameter folder = new FolderParameter();

    @Option(names = "--json", description = "Print one JSON document.")
    boolean isJson;

    private final Console console;

    StatsCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        FolderReport report = folder.open().stats();
        if (isJson) {
            Reports.printJson(console.out(), report);
        } else {
            Reports.printSummary(console.out(), report);
            Reports.printSegments(console.out(), report);
        }
        return ExitCode.OK;
    }
}
