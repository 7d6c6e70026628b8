package dev.touchstone.benchmarks.serialization;

import dev.touchstone.benchmarks.serialization.cluster.SharedClusters;
import dev.touchstone.benchmarks.serialization.records.Alphabet;
import dev.touchstone.benchmarks.serialization.records.RecordSize;
import dev.touchstone.harness.run.CheckFailedException;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.SemanticCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** One subject of one workload doing a little of its work. */
final class SerializationCheck implements SemanticCheck {

    private final Matrix.Workload workload;
    private final SerializationType subject;
    private final SharedClusters clusters;

    SerializationCheck(Matrix.Workload workload, SerializationType subject, SharedClusters clusters) {
        this.workload = workload;
        this.subject = subject;
        this.clusters = clusters;
    }

    @Override
    public String workload() {
        return workload.id();
    }

    @Override
    public String subject() {
        return subject.name();
    }

    @Override
    public void run(Path dataFolder) throws CheckFailedException, IOException {
        String name = SerializationCheck.class.getPackageName() + ".";
        if (!workload.benchmark().startsWith(name)) {
            throw noCheck();
        }
        switch (workload.benchmark().substring(name.length())) {
            case "CodecBenchmark.encode" -> codec().encode();
            case "CodecBenchmark.decode" -> codec().decode();
            case "CodecBenchmark.readField" -> codec().readField();
            case "CodecBenchmark.fieldEquals" -> codec().fieldEquals();
            case "RecordWriteBenchmark.set" -> map().write();
            case "RecordReadBenchmark.get" -> map().read();
            case "PredicateQueryBenchmark.query" -> map().predicate();
            case "SqlQueryBenchmark.query" -> map().sql();
            default -> throw noCheck();
        }
    }

    private CheckFailedException noCheck() {
        return new CheckFailedException("nobody checks what " + workload.benchmark() + " does");
    }

    private CodecChecks codec() throws IOException {
        Map<String, String> params = workload.params();
        return new CodecChecks(
                subject,
                RecordSize.valueOf(Objects.requireNonNull(params.get("size"))),
                Alphabet.valueOf(params.getOrDefault("alphabet", Alphabet.ASCII.name())));
    }

    private MapChecks map() {
        return new MapChecks(subject, workload.params(), clusters);
    }
}
