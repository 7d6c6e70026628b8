package dev.touchstone.benchmarks.serialization;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.RequiredCheck;
import dev.touchstone.benchmarks.serialization.cluster.SharedClusters;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.check.CheckRule;
import dev.touchstone.harness.run.check.SemanticCheck;
import java.io.Closeable;

/**
 * The checks of this part's workloads, in the benchmark's own methods and with the workload's parameters. They share clusters, which end with the
 * JVM where nobody closes this.
 */
public final class SerializationRule implements CheckRule, Closeable {

    static final String PART = "serialization";

    private final SharedClusters clusters = new SharedClusters();

    /** Creates the rule for the service loader. */
    public SerializationRule() {}

    @Override
    public String part() {
        return PART;
    }

    @Override
    public SemanticCheck check(Matrix.Workload workload, String subject) {
        return new RequiredCheck(DeclaredSubject.of(subject), new SerializationCheck(workload, subject, clusters));
    }

    @Override
    public void close() {
        clusters.close();
    }
}
