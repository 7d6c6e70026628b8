package dev.touchstone.harness.cli;

import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.SeedFigures;
import dev.touchstone.harness.report.html.HtmlReport;
import dev.touchstone.harness.report.text.ChangeReport;
import dev.touchstone.harness.report.text.JsonReport;
import dev.touchstone.harness.report.text.Links;
import dev.touchstone.harness.report.text.MarkdownReport;
import dev.touchstone.harness.report.text.TextReport;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.Profile;
import dev.touchstone.harness.store.RunFolder;
import java.io.IOException;

/** A recorded run in every form it can be shown in. */
record Reports(RunFolder folder, ReportInput input) {
    static final String HTML = "report.html";
    static final String MARKDOWN = "report.md";
    static final String VERDICTS = "verdicts.tsv";

    /** Reads what the folder holds. */
    static Reports of(RunFolder folder, Matrix matrix, ClassLoader loader) throws IOException {
        SeedFigures seeds = SeedFigures.of(matrix, SeedFigures.onClassPath(loader));
        ReportInput input = ReportInput.read(folder, matrix, seeds);
        boolean nightly = input.run().profile().equals(Profile.NIGHTLY.label());
        return new Reports(folder, nightly ? input.with(NightlyRuns.upTo(folder, input)) : input);
    }

    /** Writes the files of the folder itself. */
    void write() throws IOException {
        folder.write(MARKDOWN, markdown());
        folder.write(VERDICTS, verdicts());
        folder.write(
                HTML, HtmlReport.render(input, Links.inRunFolder(input.matrix().sources())));
    }

    /** The page for anywhere else. */
    String html() {
        return HtmlReport.render(input);
    }

    String markdown() {
        return MarkdownReport.render(input);
    }

    /** Returns a line for each cell that was compared with another build; empty where none was. */
    String verdicts() {
        return input.changes().map(ChangeReport::lines).orElse("");
    }

    String text() {
        return TextReport.render(input);
    }

    String json() {
        return JsonReport.render(input);
    }
}
