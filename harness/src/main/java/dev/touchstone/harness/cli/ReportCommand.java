package dev.touchstone.harness.cli;

import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.store.AtomicFiles;
import dev.touchstone.harness.store.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code report}: a recorded run once more. */
@Command(name = "report", sortOptions = false, description = "Shows a recorded run, or writes it as files.")
final class ReportCommand implements Callable<Integer> {
    private final Invocation invocation;

    @Parameters(paramLabel = "<run>", description = "Folder of the run: results/<host>/<date>-<commit>.")
    private Path run = Path.of("");

    @Option(names = "--html", paramLabel = "<file>", description = "Write one self-contained HTML file.")
    private @Nullable Path html;

    @Option(names = "--md", paramLabel = "<file>", description = "Write Markdown.")
    private @Nullable Path markdown;

    @Option(
            names = "--readme",
            paramLabel = "<file>",
            description = "Put the comparisons between the markers of a Markdown file.")
    private @Nullable Path readme;

    @Option(names = "--json", description = "One JSON document on stdout in place of the table.")
    private boolean json;

    @Mixin
    HelpOption help = new HelpOption();

    ReportCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        RunFolder folder = RunFolder.open(run);
        if (folder.torn()) {
            invocation.console().err().println("Note: the last line of forks.jsonl is torn and left out.");
        }
        Reports reports = Reports.of(folder, MatrixReader.fromClassPath(invocation.loader()), invocation.loader());
        Path htmlFile = html;
        if (htmlFile != null) {
            write(htmlFile, reports.html());
        }
        Path markdownFile = markdown;
        if (markdownFile != null) {
            write(markdownFile, reports.markdown());
        }
        Path readmeFile = readme;
        if (readmeFile != null) {
            write(readmeFile, reports.readme(Files.readString(readmeFile)));
        }
        if (json) {
            invocation.console().out().print(reports.json());
        } else if (htmlFile == null && markdownFile == null && readmeFile == null) {
            invocation.console().out().print(reports.text());
        }
        invocation.console().out().flush();
        return ExitCode.OK;
    }

    private void write(Path file, String text) throws IOException {
        AtomicFiles.write(file, text);
        invocation.console().err().println("Report: " + file);
    }
}
