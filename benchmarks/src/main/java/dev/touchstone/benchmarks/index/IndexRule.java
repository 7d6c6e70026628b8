package dev.touchstone.benchmarks.index;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.RequiredCheck;
import dev.touchstone.benchmarks.index.data.PriceData;
import dev.touchstone.benchmarks.index.data.Requests;
import dev.touchstone.benchmarks.index.http.ServedSubject;
import dev.touchstone.benchmarks.index.tariff.TariffCheck;
import dev.touchstone.harness.run.Matrix;
import dev.touchstone.harness.run.check.CheckRule;
import dev.touchstone.harness.run.check.SemanticCheck;
import java.util.Objects;

/** The checks of the index's workloads, with the workload's parameters. */
public final class IndexRule implements CheckRule {
    static final String PART = "index";

    /** Creates the rule for the service loader. */
    public IndexRule() {}

    @Override
    public String part() {
        return PART;
    }

    @Override
    public SemanticCheck check(Matrix.Workload workload, String subject) {
        return new RequiredCheck(DeclaredSubject.of(subject), checkOf(workload, subject));
    }

    private static SemanticCheck checkOf(Matrix.Workload workload, String subject) {
        String benchmark = workload.benchmark();
        return switch (benchmark.substring(benchmark.lastIndexOf('.', benchmark.lastIndexOf('.') - 1) + 1)) {
            case "PriceSearchBenchmark.find" ->
                new SearchCheck(
                        DeclaredSubject.of(subject),
                        PriceData.valueOf(param(workload, "data")),
                        Requests.valueOf(param(workload, "query")));
            case "PriceJsonBenchmark.answer" -> new JsonCheck(subject, Integer.parseInt(param(workload, "items")));
            case "PriceHttpBenchmark.ask" ->
                new HttpCheck(
                        ServedSubject.valueOf(subject),
                        Integer.parseInt(param(workload, "connections")),
                        Integer.parseInt(param(workload, "items")));
            case "PriceClusterBenchmark.find", "PriceClusterBenchmark.findMany", "PriceClusterBenchmark.update" ->
                new ClusterCheck(
                        DeclaredSubject.of(subject),
                        benchmark.substring(benchmark.lastIndexOf('.') + 1),
                        workload.params());
            case "TariffBenchmark.find" -> TariffCheck.of(subject);
            default -> throw new IllegalArgumentException("benchmark=" + benchmark + " has no check");
        };
    }

    private static String param(Matrix.Workload workload, String name) {
        return Objects.requireNonNull(workload.params().get(name), name);
    }
}
