package dev.touchstone.benchmarks.index.tariff;

import dev.touchstone.benchmarks.Allocation;
import dev.touchstone.harness.run.check.CheckFailedException;
import dev.touchstone.harness.run.check.SemanticCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** A check of one subject of searches for the most specific price, in the method that JMH would time, over fewer prices. */
public final class TariffCheck implements SemanticCheck {
    private static final int PRICES = 20_000;
    private static final int CALLS = 300;

    private final String subject;

    private TariffCheck(String subject) {
        this.subject = subject;
    }

    /**
     * Creates the check of a subject.
     *
     * @param subject its name in the matrix
     */
    public static SemanticCheck of(String subject) {
        return new TariffCheck(subject);
    }

    @Override
    public String observes() {
        return "the price that each search finds, beside a comparison of each price";
    }

    @Override
    public void run(Path dataFolder) throws CheckFailedException, IOException {
        TariffBenchmark benchmark = new TariffBenchmark();
        benchmark.subject = subject;
        benchmark.prices = PRICES;
        List<Tariff> prices = TariffList.prices(PRICES);
        List<TariffRequest> requests = TariffList.requests(prices, TariffBenchmark.REQUESTS);
        Allocation allocation = new Allocation();
        try {
            benchmark.make();
            try {
                for (int call = 0; call < CALLS; call++) {
                    int expected = mostSpecific(prices, requests.get(call));
                    int answer = benchmark.find(allocation);
                    if (answer != expected) {
                        throw new CheckFailedException(
                                "call " + call + ": expected price " + expected + ", got " + answer);
                    }
                }
            } finally {
                benchmark.close();
            }
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    /** Returns the number of the most specific price that a request meets, by a comparison of each price. */
    static int mostSpecific(List<Tariff> prices, TariffRequest request) {
        int best = TariffSearch.NONE;
        int most = -1;
        for (Tariff price : prices) {
            if (price.specificity() > most && isMet(price, request)) {
                most = price.specificity();
                best = price.number();
            }
        }
        return best;
    }

    private static boolean isMet(Tariff price, TariffRequest request) {
        boolean isMet = price.offering().equals(request.offering());
        for (int i = 0; i < TariffList.FIELDS; i++) {
            String value = price.values()[i];
            isMet &= value == null || value.equals(request.values()[i]);
        }
        return isMet;
    }
}
