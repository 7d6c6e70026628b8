package dev.touchstone.benchmarks.index;

import dev.touchstone.benchmarks.Allocation;
import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.index.data.PriceData;
import dev.touchstone.benchmarks.index.data.Requests;
import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.harness.run.check.CheckFailedException;
import dev.touchstone.harness.run.check.SemanticCheck;
import dev.touchstone.index.Price;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A check of one subject of searches, in the method that JMH would time, over fewer prices. */
record SearchCheck(DeclaredSubject subject, PriceData data, Requests query) implements SemanticCheck {
    private static final int PRICES = 20_000;
    private static final int CALLS = 150;

    @Override
    public String observes() {
        return subject.ceiling()
                ? "the variety of the codes that it looks up"
                : "the number of matches and the first match of each search, beside a comparison of each price";
    }

    @Override
    public void run(Path dataFolder) throws CheckFailedException, IOException {
        PriceSearchBenchmark benchmark = new PriceSearchBenchmark();
        benchmark.subject = subject.name();
        benchmark.data = data;
        benchmark.query = query;
        benchmark.most = PRICES;
        try {
            benchmark.make();
            try {
                check(benchmark);
            } finally {
                benchmark.close();
            }
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    private void check(PriceSearchBenchmark benchmark) throws CheckFailedException, IOException, SQLException {
        List<Price> prices = new ArrayList<>();
        data.prices(PRICES).forEach(prices::add);
        Allocation allocation = new Allocation();
        Set<Long> given = new HashSet<>();
        Set<String> asked = new HashSet<>();
        for (int call = 0; call < CALLS; call++) {
            SearchRequest request = benchmark.requests()[call];
            long answer = benchmark.find(allocation);
            given.add(answer);
            asked.add(request.toString());
            long expected = subject.ceiling() ? answer : ScanModel.answer(request, prices);
            if (answer != expected) {
                throw new CheckFailedException("call " + call + ": expected matches << 32 | first = " + expected
                        + ", got " + answer + " for " + request);
            }
        }
        if (subject.ceiling() && given.size() < asked.size() / 2) {
            throw new CheckFailedException(
                    "expected about as many different codes as requests=" + asked.size() + ", got " + given.size());
        }
    }
}
