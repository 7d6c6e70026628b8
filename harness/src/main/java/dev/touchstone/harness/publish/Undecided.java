package dev.touchstone.harness.publish;

import dev.touchstone.harness.report.Changes;
import dev.touchstone.harness.report.Group;
import dev.touchstone.harness.report.ReportInput;
import dev.touchstone.harness.report.Row;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.stats.Verdict;
import java.util.Set;
import java.util.stream.Collectors;

/** Ratios of a run to its peers that the run has not decided, which headlines do not show. Immutable. */
final class Undecided {
    /** Text in the place of such a ratio. */
    static final String TEXT = "undecided";

    private final Set<String> ratios;

    Undecided(ReportInput input) {
        ratios = Changes.ofPeers(input, 0).of(Verdict.UNKNOWN).stream()
                .filter(change -> change.failure() == null)
                .map(change -> ratio(change.cell(), change.against()))
                .collect(Collectors.toSet());
    }

    /** Returns whether the run has not decided the ratio of a group's row. */
    boolean has(Group group, Row row) {
        String ours = new Cell(
                        group.workload().id(),
                        group.workload().benchmark(),
                        group.params(),
                        group.threads(),
                        group.workload().ours())
                .id();
        return ratios.contains(ratio(ours, row.subject()));
    }

    private static String ratio(String cell, String against) {
        return cell + " beside " + against;
    }
}
