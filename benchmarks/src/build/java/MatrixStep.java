import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Step of the build that fails it unless JMH's list has every benchmark that the matrix names. From JDK 23 on a compiler that isn't told to
 * run JMH's processor says nothing and leaves the list out; a list that was written over by another module loses its first half.
 *
 * <p>Then it writes the subjects of the matrix, one a line, so that a measured JVM that opens one loads no class of a JSON library.
 *
 * <p>Run from source by the pom: {@code java -classpath ... MatrixStep.java target/classes}.
 */
final class MatrixStep {
    private static final String LIST = "META-INF/BenchmarkList";
    private static final String MATRIX = "META-INF/touchstone/matrix.json";
    private static final String SUBJECTS = "META-INF/touchstone/subjects.tsv";

    private MatrixStep() {}

    /** Checks the class folder {@code args[0]} and writes the subjects into it. */
    public static void main(String[] args) throws IOException {
        Path classes = Path.of(args[0]);
        require(Files.isRegularFile(classes.resolve(MATRIX)), "no " + MATRIX + " in " + classes);
        require(
                Files.isRegularFile(classes.resolve(LIST)),
                "no " + LIST + " in " + classes + ": JMH's annotation processor did not run");
        Set<String> missing = named(classes.resolve(MATRIX));
        require(!missing.isEmpty(), MATRIX + " names no benchmark");
        missing.removeAll(listed(classes.resolve(LIST)));
        require(missing.isEmpty(), LIST + " lacks what " + MATRIX + " names: " + missing);
        Files.write(classes.resolve(SUBJECTS), subjects(classes.resolve(MATRIX)));
    }

    /** Returns a line for each subject: its name, its level and its adapters, with tabs between them. */
    private static List<String> subjects(Path matrix) throws IOException {
        List<String> lines = new ArrayList<>();
        new ObjectMapper()
                .readTree(matrix.toFile())
                .path("subjects")
                .properties()
                .forEach(subject -> {
                    StringBuilder line = new StringBuilder(subject.getKey() + "\t"
                            + subject.getValue().path("level").asText());
                    subject.getValue()
                            .path("adapters")
                            .forEach(adapter -> line.append('\t').append(adapter.asText()));
                    lines.add(line.toString());
                });
        return lines;
    }

    private static Set<String> named(Path matrix) throws IOException {
        Set<String> names = new TreeSet<>();
        for (JsonNode workload : new ObjectMapper().readTree(matrix.toFile()).path("workloads")) {
            names.add(workload.path("benchmark").asText());
        }
        return names;
    }

    /** Every id of the list; of a group there are the group's name and its methods. */
    private static Set<String> listed(Path list) {
        Set<String> ids = new TreeSet<>();
        for (BenchmarkListEntry entry : BenchmarkList.fromFile(list.toString())
                .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())) {
            ids.add(entry.getUsername());
        }
        return ids;
    }

    private static void require(boolean holds, String problem) {
        if (!holds) {
            System.err.println("[ERROR] " + problem);
            System.exit(1);
        }
    }
}
