package dev.touchstone.harness.cli;

import dev.touchstone.cli.Suggestions;
import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.run.Cell;
import dev.touchstone.harness.run.JmhCatalog;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.Selection;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Names that the user chose by, held against those that there are: a name that chooses nothing is a mistake, never ignored. */
final class ChosenNames {
    private ChosenNames() {}

    /** Refuses unknown parts, workloads, subjects and parameters. */
    static void check(Selection selection, Matrix matrix, JmhCatalog catalog) {
        parts(selection.parts(), matrix);
        subjects(selection.subjects(), matrix);
        for (Pattern expression : selection.workloads()) {
            workload(expression, matrix);
        }
        for (String param : selection.params().keySet()) {
            param(param, selection, matrix, catalog);
        }
    }

    static void parts(Collection<String> given, Matrix matrix) {
        Set<String> known = new TreeSet<>();
        matrix.workloads().forEach(workload -> known.add(workload.part()));
        check("--parts: no part", given, known);
    }

    static void subjects(Collection<String> given, Matrix matrix) {
        check("--subjects: no subject", given, matrix.subjects().keySet());
    }

    private static void workload(Pattern expression, Matrix matrix) {
        boolean matches = matrix.workloads().stream().anyMatch(workload -> Selection.matches(expression, workload));
        if (!matches) {
            List<String> known =
                    matrix.workloads().stream().map(Matrix.Workload::id).toList();
            throw unknown("no workload matches", expression.pattern(), known);
        }
    }

    private static void param(String name, Selection selection, Matrix matrix, JmhCatalog catalog) {
        for (Matrix.Workload workload : matrix.workloads()) {
            Set<String> known = new TreeSet<>(catalog.params(workload.benchmark()));
            known.addAll(workload.params().keySet());
            known.remove(Cell.SUBJECT);
            if (selection.takes(workload) && !known.contains(name) && !name.equals(Cell.RATE)) {
                throw unknown("--param: " + workload.id() + " has no parameter", name, known);
            }
        }
    }

    private static void check(String complaint, Collection<String> given, Collection<String> known) {
        for (String name : given) {
            if (!known.contains(name)) {
                throw unknown(complaint, name, known);
            }
        }
    }

    private static UsageException unknown(String complaint, String name, Collection<String> known) {
        String meant = Suggestions.nearest(name, known)
                .map(near -> ", did you mean " + near + "?")
                .orElse("");
        String there = known.isEmpty() ? "none" : String.join(", ", known);
        return new UsageException(complaint + " '" + name + "'" + meant + "; there are: " + there);
    }
}
