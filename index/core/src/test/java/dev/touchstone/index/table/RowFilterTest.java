package dev.touchstone.index.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RowFilterTest {
    private static final AtomicLong SEEDS = new AtomicLong(Long.getLong("seed", System.nanoTime())); // one for each run

    private final long seed = SEEDS.getAndIncrement();
    private final SplittableRandom random = new SplittableRandom(seed);

    @RepeatedTest(50)
    void candidates_ofRandomRows_haveEachRowAndFewOthers() {
        long codes = -1L >>> random.nextInt(20);
        int count = 1 + random.nextInt(3000);
        long[] rows = random.longs(count).toArray();
        long[] masks = random.longs(64).toArray();
        RowFilter filter = new RowFilter(rows, count, codes);
        int others = 0;
        for (int i = 0; i < 200; i++) {
            long row = rows[random.nextInt(count)] & codes;
            int mask = random.nextInt(masks.length);
            masks[mask] = -1;
            long found = filter.candidates(row, masks, 0, masks.length);
            assertThat((found >>> mask) & 1).as("seed=%d row=%d", seed, row).isEqualTo(1);
            others += Long.bitCount(filter.candidates(random.nextLong() & codes, masks, 0, masks.length));
            int from = random.nextInt(masks.length);
            int to = from + random.nextInt(masks.length - from + 1);
            long some = to == from ? 0 : (-1L >>> (Long.SIZE - to)) & (-1L << from);
            assertThat(filter.candidates(row, masks, from, to))
                    .as("seed=%d from=%d to=%d", seed, from, to)
                    .isEqualTo(found & some);
            masks[mask] = random.nextLong();
        }
        assertThat(others).as("seed=%d", seed).isLessThan(200 * 64 / 8); // a sixteenth is expected
    }

    @RepeatedTest(50)
    void candidates_ofAKeyWithOtherValuesBehindAMask_haveTheRow() {
        long codes = -1L >>> random.nextInt(20);
        int count = 1 + random.nextInt(3000);
        long[] masks = random.longs(64).toArray();
        long[] rows = random.longs(count).toArray();
        for (int row = 0; row < count; row++) {
            rows[row] &= masks[row % masks.length] | ~codes;
        }
        RowFilter filter = new RowFilter(rows, count, codes);
        for (int row = 0; row < count; row++) {
            int mask = row % masks.length;
            long key = (rows[row] | (random.nextLong() & ~masks[mask])) & codes;
            int from = mask & -8;
            assertThat((filter.candidates(key, masks, from, from + 8) >>> mask) & 1)
                    .as("seed=%d row=%d", seed, row)
                    .isEqualTo(1);
        }
    }
}
