package dev.touchstone.benchmarks.index;

import dev.touchstone.benchmarks.Allocation;
import dev.touchstone.benchmarks.index.data.PriceData;
import dev.touchstone.harness.run.check.CheckFailedException;
import dev.touchstone.harness.run.check.SemanticCheck;
import dev.touchstone.index.Price;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A check of one subject that answers requests in JSON, in the method that JMH would time, over fewer prices. */
record JsonCheck(String subject, int items) implements SemanticCheck {
    private static final int PRICES = 20_000;
    private static final int SEARCHES = 200;

    @Override
    public String observes() {
        return "the prices in the bytes of the answers, beside a comparison of each price";
    }

    @Override
    public void run(Path dataFolder) throws CheckFailedException, IOException {
        PriceJsonBenchmark benchmark = new PriceJsonBenchmark();
        benchmark.subject = subject;
        benchmark.items = Math.min(items, SEARCHES);
        benchmark.most = PRICES;
        benchmark.make();
        List<Price> prices = new ArrayList<>();
        PriceData.Numbered numbered = PriceData.SEED.prices(PRICES);
        numbered.forEach(prices::add);
        List<Long> expected = AnsweredPrices.expected(PriceData.SEED.index(List.of()), numbered, prices, SEARCHES);
        Allocation allocation = new Allocation();
        for (int from = 0; from < SEARCHES; from += benchmark.items) {
            int status = benchmark.answer(allocation);
            AnsweredPrices.demand(
                    "status=" + status, benchmark.bytes(), expected.subList(from, from + benchmark.items));
        }
    }
}
