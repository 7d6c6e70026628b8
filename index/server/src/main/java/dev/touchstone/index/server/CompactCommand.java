package dev.touchstone.index.server;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.index.server.store.PriceStore;
import dev.touchstone.index.server.store.StoreOptions;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code compact}: frees what removed prices have left in a store. */
@Command(
        name = "compact",
        description = {
            "Writes the snapshot of a store anew, without anything that is left of removed offerings and strings.",
            "",
            "Other than snapshot, does so also if the snapshot has the newest version. The store must not be open."
        },
        exitCodeList = {
            "0:The snapshot is on the device.",
            "2:The command line cannot be used, or there is no store.",
            "3:Another process has the store open.",
            "4:The store is damaged, and unchanged.",
            "5:The machine failed."
        })
final class CompactCommand implements Callable<Integer> {
    @Mixin
    StoreFolder folder = new StoreFolder();

    private final Console console;

    CompactCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        try (CommandProgress progress = new CommandProgress(console, "opening the store");
                PriceStore store = PriceStore.open(folder.path, StoreOptions.DEFAULT, progress)) {
            long before = store.snapshotBytes();
            progress.at("compacting", 0, 0);
            long version = store.compact();
            new CommandOutput()
                    .with("version", version)
                    .with("prices", store.index().stats().prices())
                    .with("bytesBefore", before)
                    .with("bytes", store.snapshotBytes())
                    .print(console.out(), folder.isJson);
        }
        return ExitCode.OK;
    }
}
