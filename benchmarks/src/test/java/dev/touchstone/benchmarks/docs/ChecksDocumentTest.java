package dev.touchstone.benchmarks.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.MatrixReader;
import dev.touchstone.harness.run.check.CellCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The table of the checks in the documents is what the checks say of themselves. */
final class ChecksDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "dev", "checks.md");
    private static final String BEGIN = "<!-- checks: what ChecksDocumentTest makes of the matrix -->\n";
    private static final String END = "<!-- end of checks -->\n";

    @Test
    void document_table_isOfTheChecks() throws Exception {
        String document = Files.readString(DOCUMENT);
        int begin = document.indexOf(BEGIN) + BEGIN.length();
        String expected = document.substring(0, begin) + table() + document.substring(document.indexOf(END));
        Path whole = Files.writeString(Path.of("target", "checks.md"), expected);
        assertThat(document)
                .as("docs/dev/checks.md; as it has to be: %s", whole)
                .isEqualTo(expected);
    }

    /** A row of the table: workloads whose subjects have the same checks. */
    private record Row(String benchmark, Map<String, String> subjectsByObserved) {}

    private static String table() throws Exception {
        Matrix matrix = MatrixReader.fromClassPath(ChecksDocumentTest.class.getClassLoader());
        Map<String, Map<String, Set<String>>> byWorkload = new LinkedHashMap<>();
        for (CellCheck check : CellCheck.all(ChecksDocumentTest.class.getClassLoader(), matrix)) {
            byWorkload
                    .computeIfAbsent(check.workload(), key -> new LinkedHashMap<>())
                    .computeIfAbsent(check.check().observes(), key -> new LinkedHashSet<>())
                    .add(check.subject());
        }
        Map<Row, Set<String>> workloads = new LinkedHashMap<>();
        for (Matrix.Workload workload : matrix.workloads()) {
            String benchmark = workload.benchmark();
            String method = benchmark.substring(benchmark.lastIndexOf('.', benchmark.lastIndexOf('.') - 1) + 1);
            Map<String, String> subjectsByObserved = new LinkedHashMap<>();
            byWorkload
                    .getOrDefault(workload.id(), Map.of())
                    .forEach((observed, subjects) -> subjectsByObserved.put(observed, roles(workload, subjects)));
            Row row = new Row(method, subjectsByObserved);
            workloads.computeIfAbsent(row, key -> new LinkedHashSet<>()).add(workload.id());
        }
        StringBuilder text = new StringBuilder("\n| workloads | subjects | observed, and by whom |\n|---|---|---|\n");
        workloads.forEach((row, ids) -> row.subjectsByObserved.forEach((observed, subjects) -> text.append("| ")
                .append(String.join(", ", ids))
                .append(" | ")
                .append(row.subjectsByObserved.size() == 1 ? "all" : subjects)
                .append(" | ")
                .append(observed)
                .append(" |\n")));
        return text.append('\n').toString();
    }

    /** Returns the roles of subjects of a workload, so that one more peer changes nothing; names where not all peers are meant. */
    private static String roles(Matrix.Workload workload, Set<String> subjects) {
        Set<String> roles = new LinkedHashSet<>(subjects);
        Matrix.Ceiling ceiling = workload.ceiling();
        replace(roles, List.of(workload.ours()), "ours");
        replace(roles, workload.peers(), "peers");
        replace(roles, ceiling == null ? List.of() : List.of(ceiling.subject()), "ceiling");
        return String.join(", ", roles);
    }

    private static void replace(Set<String> subjects, List<String> named, String role) {
        if (!named.isEmpty() && subjects.containsAll(named)) {
            subjects.removeAll(named);
            subjects.add(role);
        }
    }
}
