package dev.touchstone.harness.cli;

import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.file.AtomicFiles;
import dev.touchstone.harness.publish.Publication;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.export.Benchstat;
import dev.touchstone.harness.report.export.ForkCsv;
import dev.touchstone.harness.report.export.HistogramLog;
import dev.touchstone.harness.report.export.JmhJson;
import dev.touchstone.harness.report.html.HtmlReport;
import dev.touchstone.harness.report.text.MarkdownReport;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.store.RunFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code report}: shows a recorded run again. */
@Command(name = "report", description = "Shows a recorded run, or writes it to files in other formats.")
final class ReportCommand implements Callable<Integer> {
    private final Invocation invocation;

    @ArgGroup(multiplicity = "1")
    private Source source = new Source();

    @Option(names = "--html", paramLabel = "<file>", description = "Write one self-contained HTML file.")
    private @Nullable Path html;

    @Option(names = "--md", paramLabel = "<file>", description = "Write Markdown.")
    private @Nullable Path markdown;

    @Option(
            names = "--jmh-json",
            paramLabel = "<file>",
            description = "Write JMH's JSON, for tools such as jmh-visualizer.")
    private @Nullable Path jmhJson;

    @Option(
            names = "--benchstat",
            paramLabel = "<file>",
            description = "Write Go benchmark lines for benchstat, one line for each fork.")
    private @Nullable Path benchstat;

    @Option(
            names = "--csv",
            paramLabel = "<file>",
            description = "Write comma-separated values, one row for each fork with all that was measured of it.")
    private @Nullable Path csv;

    @Option(
            names = "--hlog",
            paramLabel = "<file>",
            description =
                    "Write response times at fixed rates in HdrHistogram's log format, one interval for each fork.")
    private @Nullable Path hlog;

    @Option(names = "--json", description = "Print one JSON document on stdout instead of the table.")
    private boolean json;

    ReportCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public Integer call() throws Exception {
        Matrix matrix = MatrixReader.fromClassPath(invocation.loader());
        if (source.publish != null) {
            return publish(source.publish, matrix);
        }
        RunFolder folder = RunFolder.open(source.run);
        if (folder.torn()) {
            invocation.console().err().println("Note: the last line of forks.jsonl is torn and left out.");
        }
        Reports reports = Reports.of(folder, matrix, invocation.loader());
        ReportInput input = reports.input();
        boolean written = write(html, input, HtmlReport::render);
        written |= write(markdown, input, MarkdownReport::render);
        written |= write(jmhJson, input, JmhJson::render);
        written |= write(benchstat, input, Benchstat::render);
        written |= write(csv, input, ForkCsv::render);
        written |= write(hlog, input, HistogramLog::render);
        if (json) {
            invocation.console().out().print(reports.json());
        } else if (!written) {
            invocation.console().out().print(reports.text());
        }
        invocation.console().out().flush();
        return ExitCode.OK;
    }

    /** Writes the published files of a checkout. */
    private int publish(Path checkout, Matrix matrix) throws IOException {
        try {
            Map<String, String> files = Publication.files(checkout, matrix);
            Publication.write(checkout, files);
            files.keySet().forEach(file -> invocation.console().err().println("Report: " + checkout.resolve(file)));
            return ExitCode.OK;
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /** Writes the file where one was asked for. */
    private boolean write(@Nullable Path file, ReportInput input, Function<ReportInput, String> form)
            throws IOException {
        if (file == null) {
            return false;
        }
        AtomicFiles.write(file, form.apply(input));
        invocation.console().err().println("Report: " + file);
        return true;
    }

    /** The one run that is shown, or the checkout whose published files are written. */
    private static final class Source {
        @Parameters(paramLabel = "<run>", description = "Folder of the run, such as results/<host>/<date>-<commit>.")
        private Path run = Path.of("");

        @Option(
                names = "--publish",
                paramLabel = "<checkout>",
                description = "Write docs/results and docs/plots of a checkout from the runs that its"
                        + " results/published.json names.")
        private @Nullable Path publish;
    }
}
