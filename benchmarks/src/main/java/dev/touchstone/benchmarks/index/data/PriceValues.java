package dev.touchstone.benchmarks.index.data;

import dev.touchstone.index.sample.MixedPrices;
import dev.touchstone.index.sample.SeedPrices;
import java.util.List;
import java.util.stream.IntStream;

/** The values that a string field of {@link PriceData} can have. */
final class PriceValues {
    private static final SeedPrices SEED = new SeedPrices();

    private PriceValues() {}

    static List<String> of(String field) {
        if (SEED.characteristics().contains(field)) {
            return SEED.values(field);
        }
        return switch (field) {
            case SeedPrices.GROUP -> List.of("group1", "group2", "group3", "group4", "group5");
            case SeedPrices.SPEC -> List.of("MRC", "NRC");
            default -> {
                int number = Integer.parseInt(field.substring(1));
                yield IntStream.range(0, MixedPrices.distinct(number))
                        .mapToObj(value -> MixedPrices.value(number, value))
                        .toList();
            }
        };
    }
}
