package dev.touchstone.benchmarks.serialization;

import dev.touchstone.benchmarks.serialization.cluster.SharedClusters;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.SemanticCheck;
import dev.touchstone.harness.run.SemanticCheckSource;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;

/**
 * A semantic check for each subject of each workload of this part, in the benchmark's own methods and with the workload's parameters. They
 * share clusters, which end with the JVM where nobody closes this.
 */
public final class SerializationChecks implements SemanticCheckSource, Closeable {

    static final String PART = "serialization";

    private final SharedClusters clusters = new SharedClusters();

    /** For the service loader. */
    public SerializationChecks() {}

    @Override
    public List<SemanticCheck> checks(Matrix matrix) {
        List<SemanticCheck> checks = new ArrayList<>();
        for (Matrix.Workload workload : matrix.workloads()) {
            if (workload.part().equals(PART)) {
                subjects(workload).forEach(subject -> checks.add(new SerializationCheck(workload, subject, clusters)));
            }
        }
        return checks;
    }

    @Override
    public void close() {
        clusters.close();
    }

    private static List<SerializationType> subjects(Matrix.Workload workload) {
        List<SerializationType> subjects = new ArrayList<>();
        subjects.add(SerializationType.valueOf(workload.ours()));
        workload.peers().forEach(peer -> subjects.add(SerializationType.valueOf(peer)));
        Matrix.Ceiling ceiling = workload.ceiling();
        if (ceiling != null) {
            subjects.add(SerializationType.valueOf(ceiling.subject()));
        }
        return subjects;
    }
}
