package dev.touchstone.harness.run;

import dev.touchstone.harness.file.JsonProblem;
import dev.touchstone.harness.file.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the matrix of the project on the class path and refuses one that does not hold together. */
public final class MatrixReader {
    /** Place of the matrix on the class path of the project that has the benchmarks. */
    public static final String RESOURCE = "META-INF/touchstone/matrix.json";

    private static final Set<String> NULLABLE = Set.of(
            "Subject.flags",
            "Workload.ceiling",
            "Workload.quick",
            "Workload.headline",
            "Workload.ruler",
            "Workload.flags",
            "SeedRow.counter",
            "Matrix.sources");
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
    private static final Pattern METHOD =
            Pattern.compile("\\p{javaJavaIdentifierPart}+(\\.\\p{javaJavaIdentifierPart}+)+");

    private final String place;
    private final Matrix matrix;

    private MatrixReader(String place, Matrix matrix) {
        this.place = place;
        this.matrix = matrix;
    }

    /**
     * Reads {@link #RESOURCE}. A project without one gets a matrix of all that JMH's list has.
     *
     * @param loader the class path with the benchmarks
     * @return a matrix whose parts fit together
     * @throws MatrixException if the matrix is wrong, or there is neither a matrix nor a benchmark; its message says where
     */
    public static Matrix fromClassPath(ClassLoader loader) throws MatrixException {
        try (InputStream in = loader.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                Matrix listed = JmhMatrix.of(JmhCatalog.entries());
                if (listed.workloads().isEmpty()) {
                    throw new MatrixException("no JMH benchmarks on the class path; there is nothing to measure");
                }
                new MatrixReader("JMH's list, in the place of " + RESOURCE, listed).check();
                return listed;
            }
            return parse(RESOURCE, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new MatrixException(RESOURCE + ": " + e.getMessage());
        }
    }

    /**
     * Reads a matrix from text.
     *
     * @param place name of the text in messages
     * @param json the whole text
     * @return a matrix whose parts fit together
     * @throws MatrixException if the text is not such a matrix; its message says where
     */
    public static Matrix parse(String place, String json) throws MatrixException {
        try {
            Matrix matrix = StrictJson.read(json, Matrix.class, NULLABLE, Matrix.SCHEMA);
            new MatrixReader(place, matrix).check();
            return matrix;
        } catch (JsonProblem e) {
            throw new MatrixException(place + ": " + e.getMessage());
        }
    }

    private void check() throws MatrixException {
        flags("commonFlags", matrix.commonFlags());
        String sources = matrix.sources();
        if (sources != null && !sources.matches("[\\w-]+(/[\\w-]+)*")) {
            throw problem("sources", "expected a folder below the root, got '" + sources + "'");
        }
        for (var set : matrix.flagSets().entrySet()) {
            flags("flagSets." + set.getKey(), set.getValue());
        }
        for (var subject : matrix.subjects().entrySet()) {
            word("subjects", subject.getKey());
            flagSet(
                    "subjects." + subject.getKey() + ".flags",
                    subject.getValue().flags());
            for (String adapter : subject.getValue().adapters()) {
                method("subjects." + subject.getKey() + ".adapters", adapter);
            }
        }
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < matrix.workloads().size(); i++) {
            Matrix.Workload workload = matrix.workloads().get(i);
            workload("workloads[" + i + "]", workload);
            if (!ids.add(workload.id())) {
                throw problem("workloads[" + i + "].id", "'" + workload.id() + "' is taken");
            }
        }
        for (int i = 0; i < matrix.seedRows().size(); i++) {
            seedRow("seedRows[" + i + "]", matrix.seedRows().get(i), ids);
        }
    }

    private void workload(String at, Matrix.Workload workload) throws MatrixException {
        word(at + ".id", workload.id());
        word(at + ".part", workload.part());
        method(at + ".benchmark", workload.benchmark());
        params(at + ".params", workload.params());
        threads(at + ".threads", workload.threads());
        flagSet(at + ".flags", workload.flags());
        subject(at + ".ours", workload.ours());
        for (String peer : workload.peers()) {
            subject(at + ".peers", peer);
        }
        excerpt(at + ".quick", workload, workload.quick());
        excerpt(at + ".headline", workload, workload.headline());
        Matrix.Ceiling ceiling = workload.ceiling();
        if (ceiling != null) {
            subject(at + ".ceiling.subject", ceiling.subject());
            if (ceiling.threads() < 0) {
                throw problem(at + ".ceiling.threads", "expected 0 or more, got " + ceiling.threads());
            }
        }
    }

    private void excerpt(String at, Matrix.Workload workload, Matrix.@Nullable Excerpt excerpt) throws MatrixException {
        if (excerpt != null) {
            threads(at + ".threads", excerpt.threads());
            for (String peer : excerpt.peers()) {
                if (!workload.peers().contains(peer)) {
                    throw problem(at + ".peers", "no peer '" + peer + "' of this workload");
                }
            }
        }
    }

    private void seedRow(String at, Matrix.SeedRow row, Set<String> workloads) throws MatrixException {
        if (!workloads.contains(row.workload())) {
            throw problem(at + ".workload", "no workload '" + row.workload() + "'");
        }
        subject(at + ".ours", row.ours());
        subject(at + ".peer", row.peer());
    }

    private void subject(String at, String name) throws MatrixException {
        if (!matrix.subjects().containsKey(name)) {
            throw problem(at, "no subject '" + name + "'");
        }
    }

    private void params(String at, SortedMap<String, String> params) throws MatrixException {
        for (String name : params.keySet()) {
            word(at, name);
        }
    }

    private void threads(String at, List<Integer> threads) throws MatrixException {
        for (int count : threads) {
            if (count < 1 || count > 10_000) {
                throw problem(at, "expected 1..10000, got " + count);
            }
        }
    }

    private void flags(String at, List<String> flags) throws MatrixException {
        for (String flag : flags) {
            if (flag.isBlank()) {
                throw problem(at, "expected flags, got a blank one");
            }
        }
    }

    private void flagSet(String at, @Nullable String name) throws MatrixException {
        if (name != null && !matrix.flagSets().containsKey(name)) {
            throw problem(at, "no flag set '" + name + "'");
        }
    }

    private void method(String at, String name) throws MatrixException {
        if (!METHOD.matcher(name).matches()) {
            throw problem(at, "expected package.Class.method, got '" + name + "'");
        }
    }

    private void word(String at, String text) throws MatrixException {
        if (!WORD.matcher(text).matches() || text.contains("..")) {
            throw problem(at, "expected letters, digits, '.', '_', '-', got '" + text + "'");
        }
    }

    private MatrixException problem(String at, String what) {
        return new MatrixException(place + ": " + at + ": " + what);
    }
}
