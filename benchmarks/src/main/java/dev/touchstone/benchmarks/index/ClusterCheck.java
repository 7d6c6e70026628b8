package dev.touchstone.benchmarks.index;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.index.cluster.ClusterUnderTest;
import dev.touchstone.benchmarks.index.data.PriceData;
import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.harness.run.check.CheckFailedException;
import dev.touchstone.harness.run.check.SemanticCheck;
import dev.touchstone.index.Price;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A check of one subject of a cluster, in the methods that JMH would time, over fewer prices.
 *
 * @param method method of the benchmark
 * @param params parameters of the workload
 */
record ClusterCheck(DeclaredSubject subject, String method, Map<String, String> params) implements SemanticCheck {
    private static final int PRICES = 30_000; // of some offerings
    private static final int CALLS = 150;
    private static final int UPDATES = 3;

    @Override
    public String observes() {
        return method.equals("update")
                ? "changed prices and others, by searches " + (subject.ceiling() ? "of the same index" : "of a client")
                : "the number of matches and the first match of each search, beside a comparison of each price";
    }

    @Override
    public void run(Path dataFolder) throws CheckFailedException, IOException {
        PriceClusterBenchmark benchmark = new PriceClusterBenchmark();
        benchmark.subject = subject.name();
        benchmark.members = Integer.parseInt(params.getOrDefault("members", "1"));
        benchmark.client = Boolean.parseBoolean(params.get("client"));
        benchmark.nearCache = Boolean.parseBoolean(params.get("nearCache"));
        benchmark.inFlight = Integer.parseInt(params.getOrDefault("inFlight", "20"));
        benchmark.perRequest = Integer.parseInt(params.getOrDefault("perRequest", "1"));
        benchmark.most = PRICES;
        benchmark.start();
        try {
            List<Price> prices = new ArrayList<>();
            PriceData.SEED.prices(PRICES).forEach(prices::add);
            switch (method) {
                case "find" -> checkEach(benchmark, prices);
                case "findMany" -> checkMany(benchmark, prices);
                default -> checkUpdates(benchmark, prices);
            }
        } finally {
            benchmark.stop();
        }
    }

    private void checkEach(PriceClusterBenchmark benchmark, List<Price> prices)
            throws CheckFailedException, IOException {
        for (int call = 0; call < CALLS; call++) {
            demand(benchmark.requests().get(call), prices, benchmark.find());
        }
    }

    /** Checks the answers that are left after some calls: all of a call, or those of its last request for several searches. */
    private void checkMany(PriceClusterBenchmark benchmark, List<Price> prices)
            throws CheckFailedException, IOException {
        int end = 0;
        for (int call = 0; call < 2; call++) {
            long[] answers = benchmark.findMany();
            end += PriceClusterBenchmark.SEARCHES;
            for (int i = 0; i < answers.length; i++) {
                demand(benchmark.requests().get(end - answers.length + i), prices, answers[i]);
            }
        }
    }

    private void checkUpdates(PriceClusterBenchmark benchmark, List<Price> prices)
            throws CheckFailedException, IOException {
        ClusterUnderTest observer = subject.ceiling() ? benchmark.prepared() : benchmark.observer();
        PriceClusterBenchmark.Changes changes = new PriceClusterBenchmark.Changes();
        Map<String, Price> now = new HashMap<>();
        prices.forEach(price -> now.put(price.id(), price));
        for (int update = 0; update < UPDATES; update++) {
            changes.make(benchmark);
            long unused = benchmark.update(changes);
            changes.prices.forEach(price -> now.put(price.id(), price));
            for (SearchRequest request : asked(benchmark, changes.prices)) {
                demand(request, now.values(), observer.search(request));
            }
        }
        observer.close();
    }

    /** Returns some requests for prices, changed or not, and some for changed ones. */
    private static List<SearchRequest> asked(PriceClusterBenchmark benchmark, List<Price> changed) {
        List<SearchRequest> asked = new ArrayList<>(benchmark.requests().subList(0, CALLS / 10));
        benchmark.requests().stream()
                .filter(request -> ScanModel.answer(request, changed) != 0)
                .limit(CALLS / 10)
                .forEach(asked::add);
        return asked;
    }

    private static void demand(SearchRequest request, Iterable<Price> prices, long answer) throws CheckFailedException {
        long expected = ScanModel.answer(request, prices);
        if (answer != expected) {
            throw new CheckFailedException(
                    "expected matches << 32 | first = " + expected + ", got " + answer + " for " + request);
        }
    }
}
