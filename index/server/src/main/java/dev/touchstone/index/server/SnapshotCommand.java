package dev.touchstone.index.server;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.index.server.store.PriceStore;
import dev.touchstone.index.server.store.StoreOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code snapshot}: brings the log of a store into its snapshot. */
@Command(
        name = "snapshot",
        description = {
            "Writes the newest version of a store as its snapshot, and empties its log.",
            "",
            "The next start then has nothing to replay. A server does the same by itself when it stops and when its log is "
                    + "long; the store must not be open."
        },
        exitCodeList = {
            "0:The snapshot is on the device.",
            "2:The command line cannot be used, or there is no store.",
            "3:Another process has the store open.",
            "4:The store is damaged, and unchanged.",
            "5:The machine failed."
        })
final class SnapshotCommand implements Callable<Integer> {
    @Mixin
    StoreFolder folder = new StoreFolder();

    private final Console console;

    SnapshotCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        try (CommandProgress progress = new CommandProgress(console, "opening the store");
                PriceStore store = PriceStore.open(folder.path, StoreOptions.DEFAULT, progress)) {
            long before = store.stats().snapshotVersion();
            progress.at("writing the snapshot", 0, 0);
            long version = store.snapshot();
            new CommandOutput()
                    .with("version", version)
                    .with("versionBefore", before)
                    .with("prices", store.index().stats().prices())
                    .print(console.out(), folder.isJson);
        }
        return ExitCode.OK;
    }
}
