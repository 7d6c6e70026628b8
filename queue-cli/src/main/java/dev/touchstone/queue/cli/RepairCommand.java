package dev.touchstone.queue.cli;

import dev.touchstone.cli.Console;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.queue.inspect.FolderRepair;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code repair}: makes a damaged queue one that opens. */
@Command(
        name = "repair",
        description = {
            "Makes a damaged queue one that opens, and loses nothing that can be read.",
            "",
            "Tells what it will do and what will be lost, and asks. Files that it changes or takes out of use are kept "
                    + "as damaged-NAME. The queue must not be open."
        })
final class RepairCommand implements Callable<Integer> {
    @Mixin
    FolderParameter folder = new FolderParameter();

    @Option(names = "--yes", description = "Do not ask. Needed where there is no console.")
    boolean isConfirmed;

    @Option(
            names = "--dry-run",
            description = "Tell what would be done, and change nothing; exit code 4 if there is something to do.")
    boolean isDryRun;

    private final Console console;
    private final Predicate<String> confirm;

    RepairCommand(Console console, Predicate<String> confirm) {
        this.console = console;
        this.confirm = confirm;
    }

    @Override
    public Integer call() throws IOException {
        folder.open();
        PrintWriter out = console.out();
        ScanProgress progress = new ScanProgress(console, System::nanoTime);
        try (FolderRepair repair =
                isDryRun ? FolderRepair.planOnly(folder.path, progress) : FolderRepair.begin(folder.path, progress)) {
            Reports.printDamages(out, repair.found());
            if (!repair.found().isDamaged()) {
                out.println("nothing to repair");
                return ExitCode.OK;
            }
            out.println(isDryRun ? "would do:" : "will do:");
            repair.plan().forEach(line -> out.println("  " + line));
            out.flush();
            if (isDryRun) {
                return QueueExitCode.DAMAGED;
            }
            if (!isConfirmed && !confirm.test("Repair " + folder.path + "?")) {
                console.err().println("not confirmed, nothing was changed; say --yes to repair");
                return QueueExitCode.NOT_CONFIRMED;
            }
            repair.run().forEach(file -> out.println("kept " + file));
            out.println("repaired");
            return ExitCode.OK;
        }
    }
}
