package dev.touchstone.benchmarks.serialization;

import dev.touchstone.benchmarks.serialization.cluster.SharedClusters;
import dev.touchstone.benchmarks.serialization.records.Alphabet;
import dev.touchstone.benchmarks.serialization.records.RecordSize;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.check.CheckFailedException;
import dev.touchstone.harness.run.check.SemanticCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** Checks one subject of one workload by a little of its work. */
record SerializationCheck(Matrix.Workload workload, String subject, SharedClusters clusters) implements SemanticCheck {

    @Override
    public String observes() {
        return switch (method()) {
            case "CodecBenchmark.encode" ->
                "the bytes of each record, in an array of their own each time, by the subject's decoder, and beside those of Hazelcast where they must be "
                        + "equal";
            case "CodecBenchmark.decode" ->
                "each decoded record, another object each time, beside a record of plain Java values";
            case "CodecBenchmark.readField" ->
                "the field of each record, another object each time, beside a record of plain Java values";
            case "CodecBenchmark.fieldEquals" -> "the answer for each record, beside a record of plain Java values";
            case "RecordWriteBenchmark.set" ->
                "one event a call, keys and values in the map, by another client; memory, by the members' account"
                        + nearCache();
            case "RecordReadBenchmark.get" ->
                "records and their variety, beside those put in and those that another client has changed; memory, by the members' account"
                        + nearCache();
            case "PredicateQueryBenchmark.query", "SqlQueryBenchmark.query" ->
                "keys and strings of what is found, beside a scan of the keys";
            default -> throw noCheck();
        };
    }

    private String nearCache() {
        return workload.params().containsKey("nearCache") ? "; the near cache, by its own statistics" : "";
    }

    @Override
    public void run(Path dataFolder) throws CheckFailedException, IOException {
        switch (method()) {
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

    /** Returns class and method of the benchmark. */
    private String method() {
        return workload.benchmark()
                .substring(SerializationCheck.class.getPackageName().length() + 1);
    }

    private IllegalArgumentException noCheck() {
        return new IllegalArgumentException("benchmark=" + workload.benchmark() + " has no check");
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
