package dev.touchstone.builds.cli;

import dev.touchstone.builds.master.FolderCheck;
import dev.touchstone.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code repair}: makes a damaged folder one that a master starts on. */
@Command(
        name = "repair",
        description = {
            "Makes a master's folder with a damaged journal one that a master starts on, with all events that can be read.",
            "",
            "See verify for what is lost. Jobs whose result is lost run again. The damaged journal is kept as damaged-journal-N in the "
                    + "folder. No master may use the folder."
        },
        exitCodeList = {
            "0:A master starts on the folder.",
            "2:The command line cannot be used, or the folder is no master's.",
            "3:A master uses the folder.",
            "125:The machine failed."
        })
final class RepairCommand implements Callable<Integer> {
    @Option(names = "--folder", required = true, paramLabel = "FOLDER", description = "Folder of the master.")
    @SuppressWarnings("NullAway.Init") // picocli's
    Path folder;

    private final ProcessContext around;

    RepairCommand(ProcessContext around) {
        this.around = around;
    }

    @Override
    public Integer call() throws IOException {
        VerifyCommand.print(around, FolderCheck.repair(folder));
        return ExitCode.OK;
    }
}
