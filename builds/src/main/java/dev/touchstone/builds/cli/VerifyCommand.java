package dev.touchstone.builds.cli;

import dev.touchstone.builds.master.FolderCheck;
import dev.touchstone.cli.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code verify}: reads a master's folder. */
@Command(
        name = "verify",
        description = {
            "Reads every byte of a master's journal and tells what is lost.",
            "",
            "Changes nothing. No master may use the folder. Logs have no checksum; only their lengths are checked."
        },
        exitCodeList = {
            "0:A master starts on the folder, and nothing is lost.",
            "2:The command line cannot be used, or the folder is no master's.",
            "3:A master uses the folder.",
            "4:The folder is damaged.",
            "125:The machine failed."
        })
final class VerifyCommand implements Callable<Integer> {
    @Option(names = "--folder", required = true, paramLabel = "FOLDER", description = "Folder of the master.")
    @SuppressWarnings("NullAway.Init") // picocli's
    Path folder;

    private final ProcessContext around;

    VerifyCommand(ProcessContext around) {
        this.around = around;
    }

    @Override
    public Integer call() throws IOException {
        FolderCheck.Report report = FolderCheck.verify(folder);
        print(around, report);
        return report.isWhole() ? ExitCode.OK : BuildsExitCode.DAMAGED;
    }

    static void print(ProcessContext around, FolderCheck.Report report) throws IOException {
        StringBuilder text = new StringBuilder();
        text.append("whole: ").append(report.isWhole()).append('\n');
        text.append("events: ").append(report.events()).append('\n');
        text.append("jobs: ").append(report.jobs()).append('\n');
        text.append("unfinished: ").append(report.unfinished()).append('\n');
        report.lost().forEach(line -> text.append(line).append('\n'));
        report.problems().forEach(line -> text.append(line).append('\n'));
        around.out().write(text.toString().getBytes(StandardCharsets.UTF_8));
        around.out().flush();
    }
}
