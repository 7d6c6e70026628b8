package dev.touchstone.queue.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.queue.inspect.FolderReport;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code verify}: reads all files of a queue. */
@Command(
        name = "verify",
        description = {
            "Reads every file of a queue completely, and tells each damaged place.",
            "",
            "Writes nothing. The queue must not be open, and cannot be opened meanwhile."
        })
final class VerifyCommand implements Callable<Integer> {
    @Mixin
    FolderParameter folder = new FolderParameter();

    @Option(names = "--json", description = "Print one JSON document.")
    boolean isJson;

    private final Console console;

    VerifyCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        FolderReport report = folder.open().verify(new ScanProgress(console, System::nanoTime));
        if (isJson) {
            Reports.printJson(console.out(), report);
        } else {
            Reports.printSummary(console.out(), report);
            Reports.printDamages(console.out(), report);
        }
        return report.isDamaged() ? QueueExitCode.DAMAGED : ExitCode.OK;
    }
}
