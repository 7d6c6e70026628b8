package dev.touchstone.harness.publish;

import dev.touchstone.harness.report.Format;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.SeedComparison;
import dev.touchstone.harness.report.SeedDocument;
import dev.touchstone.harness.report.SeedFigures;
import dev.touchstone.harness.report.text.MarkdownReport;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.stats.Summary;
import dev.touchstone.harness.store.Published;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Page of the origin documents: each of their figures beside what answers it in a published run, or the reason why nothing does. */
final class OriginPage {
    private static final String INTRODUCTION = """
            # The origin documents

            Each figure of the documents that the project began from, beside what is measured here. Theirs come from other machines and years:
            compare ratios, not scores. *Beside* is the subject that stands for theirs, measured in the same run as ours; where it is another
            implementation, it says "for". A row without scores says why there are none.
            """;

    private final Published published;
    private final Set<String> answered;
    private final Map<String, Answer> answers = new HashMap<>();
    private final StringBuilder out = new StringBuilder(INTRODUCTION);

    private OriginPage(Published published, Map<String, ReportInput> runs) {
        this.published = published;
        this.answered = runs.values().stream()
                .flatMap(run -> run.matrix().seedRows().stream())
                .map(Matrix.SeedRow::seed)
                .collect(Collectors.toSet());
        runs.forEach((run, input) -> SeedComparison.of(input, input.comparison())
                .lines()
                .forEach((seed, line) -> {
                    if (line.ours() != null) {
                        answers.merge(seed, new Answer(run, line), Answer::orWithPeer);
                    }
                }));
    }

    /**
     * Makes the page.
     *
     * @param runs the published ones by name; the first that has measured both a row's peer and ours answers it, else the first that has measured ours
     * @throws IllegalArgumentException if a figure has neither a workload in the matrix nor a reason, or both
     */
    static String of(Published published, Map<String, ReportInput> runs, SeedFigures seeds) {
        return new OriginPage(published, runs).text(seeds);
    }

    private String text(SeedFigures seeds) {
        seeds.documents().forEach((file, document) -> {
            out.append("\n## ").append(MarkdownReport.text(document.source())).append("\n\n");
            out.append(MarkdownReport.text(document.conditions())).append(".\n");
            document.tables().forEach(table -> table(file, table));
        });
        return out.append('\n').append(ResultPage.SOURCE).toString();
    }

    private void table(String file, SeedDocument.Table table) {
        out.append("\n### ").append(MarkdownReport.text(table.title())).append("\n\n");
        row("row", table.unit(), "beside", "here", "ours here", "ours is", "run");
        out.append("| --- | --: | --- | --: | --: | --: | --- |\n");
        String last = "";
        for (SeedDocument.Row row : table.rows()) {
            String seed = file + "#" + table.id() + "/" + row.id();
            Answer answer = answers.get(seed);
            if (answer == null) {
                String reason = reason(seed);
                row(row.id(), row.figure(), reason.equals(last) ? "as above" : reason, "", "", "", "");
                last = reason;
            } else {
                last = "";
                SeedComparison.Line line = answer.line;
                out.append(cells(
                                row.id(),
                                row.figure(),
                                line.peerText(),
                                score(line.peer(), line.unit()),
                                score(line.ours(), line.unit()),
                                Format.ratio(line.ratio())))
                        .append("| [run](../../results/" + answer.run + "/report.md) |\n");
            }
        }
    }

    private static String score(@Nullable Summary score, String unit) {
        return score == null ? "" : Format.score(score) + " " + unit;
    }

    private String reason(String seed) {
        String reason = published.gaps().stream()
                .filter(gap -> seed.matches(gap.seeds()))
                .map(Published.Gap::reason)
                .findFirst()
                .orElse(null);
        boolean known = answered.contains(seed);
        if (known == (reason != null)) {
            throw new IllegalArgumentException(
                    "origin: seed=" + seed + ": expected a workload in the matrix or a reason in " + Published.FILE
                            + ", got " + (known ? "both" : "neither"));
        }
        return reason == null ? "no published run has measured it" : reason;
    }

    private void row(String... texts) {
        out.append(cells(texts)).append("|\n");
    }

    private static String cells(String... texts) {
        return Stream.of(texts)
                .map(text -> "| " + MarkdownReport.text(text) + " ")
                .collect(Collectors.joining());
    }

    private record Answer(String run, SeedComparison.Line line) {
        /** Returns the other if only that one has measured the peer. */
        Answer orWithPeer(Answer other) {
            return line.peer() == null && other.line.peer() != null ? other : this;
        }
    }
}
