package dev.touchstone.index.server;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.index.server.store.StoreRepair;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code repair}: makes a damaged store one that opens. */
@Command(
        name = "repair",
        description = {
            "Makes a store with a damaged log one that opens, with all updates that can be read.",
            "",
            "See verify for what is lost. A copy of the damaged log is kept as damaged-log-N in the folder. A damaged snapshot is not "
                    + "repaired: put it back from a copy. The store must not be open."
        },
        exitCodeList = {
            "0:The store opens.",
            "2:The command line cannot be used, or there is no store.",
            "3:Another process has the store open.",
            "4:The snapshot is damaged, and nothing was changed.",
            "5:The machine failed."
        })
final class RepairCommand implements Callable<Integer> {
    @Mixin
    StoreFolder folder = new StoreFolder();

    private final Console console;

    RepairCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        try (CommandProgress progress = new CommandProgress(console, "reading the store")) {
            List<String> lost = StoreRepair.run(folder.path, progress);
            new CommandOutput()
                    .with("repaired", !lost.isEmpty())
                    .with("lost", lost)
                    .print(console.out(), folder.isJson);
        }
        return ExitCode.OK;
    }
}
