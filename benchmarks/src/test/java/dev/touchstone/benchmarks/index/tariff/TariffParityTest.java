package dev.touchstone.benchmarks.index.tariff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.benchmarks.DeclaredSubject;
import dev.touchstone.benchmarks.SubjectsOf;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** Each subject finds the price that a comparison of all prices finds. {@code -Dseed} repeats a run. */
@Timeout(120)
final class TariffParityTest {
    private static final int PRICES = 3000;
    private static final int REQUESTS = 600;

    private final long seed = Long.getLong("seed", System.nanoTime());

    @ParameterizedTest
    @SubjectsOf(TariffBenchmark.class)
    void search_valuesOfPricesAndOthers_theMostSpecificMatch(String subject) throws Exception {
        List<Tariff> prices = TariffList.prices(PRICES);
        List<TariffRequest> requests = new ArrayList<>(TariffList.requests(prices, REQUESTS));
        Random random = new Random(seed);
        for (TariffRequest request : List.copyOf(requests)) {
            String[] values = request.values().clone();
            values[random.nextInt(values.length)] = "unknown";
            requests.add(new TariffRequest(request.offering(), values));
        }
        int found = 0;
        try (TariffSearch search = DeclaredSubject.of(subject).open(TariffSearch.class, prices)) {
            for (TariffRequest request : requests) {
                int expected = TariffCheck.mostSpecific(prices, request);
                assertThat(search.search(request))
                        .as(
                                "seed=%d subject=%s offering=%s values=%s",
                                seed, subject, request.offering(), List.of(request.values()))
                        .isEqualTo(expected);
                found += expected == TariffSearch.NONE ? 0 : 1;
            }
        }
        assertThat(found).as("requests that find a price").isGreaterThanOrEqualTo(REQUESTS);
    }
}
