package dev.touchstone.index.server;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.index.server.store.StoreReport;
import dev.touchstone.index.server.store.StoreVerifier;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code verify}: reads a whole store. */
@Command(
        name = "verify",
        description = {
            "Reads every byte of a store, applies its log in memory, and tells what is lost and whether the rest opens.",
            "",
            "Changes nothing. The store must not be open."
        },
        exitCodeList = {
            "0:The store opens, and nothing is lost.",
            "2:The command line cannot be used, or there is no store.",
            "3:Another process has the store open.",
            "4:The store is damaged.",
            "5:The machine failed."
        })
final class VerifyCommand implements Callable<Integer> {
    @Mixin
    StoreFolder folder = new StoreFolder();

    private final Console console;

    VerifyCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        try (CommandProgress progress = new CommandProgress(console, "reading the store")) {
            StoreReport report = StoreVerifier.verify(folder.path, progress);
            new CommandOutput()
                    .with("opens", report.opens())
                    .with("repairable", report.isRepairable())
                    .with("version", report.version())
                    .with("prices", report.prices())
                    .with("snapshotWhole", report.isSnapshotWhole())
                    .with("snapshotVersion", report.snapshotVersion())
                    .with("logEntries", report.entries())
                    .with("logBytes", report.logBytes())
                    .with("lost", report.losses())
                    .with("problem", report.problems())
                    .print(console.out(), folder.isJson);
            return report.opens() ? ExitCode.OK : ServerExitCode.DAMAGED;
        }
    }
}
