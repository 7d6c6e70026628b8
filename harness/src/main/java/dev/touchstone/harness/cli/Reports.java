package dev.touchstone.harness.cli;

import dev.touchstone.harness.env.Environment;
import dev.touchstone.harness.report.HtmlReport;
import dev.touchstone.harness.report.JsonReport;
import dev.touchstone.harness.report.MarkdownReport;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.SeedFigures;
import dev.touchstone.harness.report.TextReport;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.store.RunFolder;
import dev.touchstone.harness.store.RunInfo;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** A recorded run in every form it can be shown in. */
record Reports(RunFolder folder, ReportInput input) {
    static final String HTML = "report.html";
    static final String MARKDOWN = "report.md";

    /** Reads what the folder holds. */
    static Reports of(RunFolder folder, Matrix matrix, ClassLoader loader) throws IOException {
        RunInfo info = folder.readInfo();
        Environment environment = environment(folder.path().resolve(RunFolders.ENVIRONMENT));
        SeedFigures seeds = SeedFigures.of(matrix, SeedFigures.onClassPath(loader));
        return new Reports(folder, new ReportInput(info, environment, matrix, folder.readForks(), seeds));
    }

    private static Environment environment(Path file) throws IOException {
        try {
            return Environment.read(file);
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException e) {
            throw new UsageException(String.valueOf(e.getMessage())); // not what this harness writes
        }
    }

    /** Writes the files of the folder itself. */
    void write() throws IOException {
        folder.write(MARKDOWN, markdown());
        folder.write(HTML, html());
    }

    String html() {
        return HtmlReport.render(input);
    }

    String markdown() {
        return MarkdownReport.render(input);
    }

    String text() {
        return TextReport.render(input);
    }

    String json() {
        return JsonReport.render(input);
    }
}
