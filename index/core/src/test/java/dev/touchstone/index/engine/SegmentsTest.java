package dev.touchstone.index.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.IndexAccess;
import dev.touchstone.index.price.PriceIndex;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Numbers of offerings with and without prices, beside a model. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SegmentsTest {
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    private static int[] numbers(Snapshot.Segments segments) {
        return IntStream.iterate(
                        segments.next(0), number -> number < segments.count, number -> segments.next(number + 1))
                .toArray();
    }

    @Test
    void next_afterEachOfManyUpdates_findsTheNumbersWithPrices() {
        PriceIndex index = PriceIndex.builder()
                .integer("number")
                .build(List.of(Price.of("id", "offering", Map.of(), BigDecimal.ONE)));
        Segment some = IndexAccess.snapshot(index).segment(0);
        Segment none = Segment.empty(IndexAccess.snapshot(index).fields());
        Snapshot.Segments segments = new Snapshot.Segments.Draft(0, none).build();
        BitSet model = new BitSet();
        List<Snapshot.Segments> versions = new ArrayList<>();
        List<int[]> expected = new ArrayList<>();
        for (int version = 0; version < 100; version++) {
            int count = segments.count + random.nextInt(version % 10 == 0 ? 3000 : 40);
            Snapshot.Segments.Draft draft = new Snapshot.Segments.Draft(segments, count, none);
            for (int change = 0; change < 200; change++) {
                int number = random.nextInt(Math.max(1, count / 2)) + random.nextInt(count - count / 2);
                boolean hasPrices = random.nextInt(3) == 0;
                draft.set(number, hasPrices ? some : none);
                model.set(number, hasPrices);
            }
            segments = draft.build();
            versions.add(segments);
            expected.add(model.stream().toArray());
        }
        for (int version = 0; version < versions.size(); version++) {
            assertThat(numbers(versions.get(version)))
                    .as("seed=%d version=%d", seed, version)
                    .isEqualTo(expected.get(version));
        }
    }
}
