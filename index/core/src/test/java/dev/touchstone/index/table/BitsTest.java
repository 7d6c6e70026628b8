package dev.touchstone.index.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BitsTest {
    private static final AtomicLong SEEDS = new AtomicLong(Long.getLong("seed", System.nanoTime())); // one for each run

    private final long seed = SEEDS.getAndIncrement();
    private final SplittableRandom random = new SplittableRandom(seed);

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "63, 1", "64, 1", "65, 2", "128, 2", "129, 3"})
    void words_ofRows_isRoundedUp(int rows, int words) {
        assertThat(Bits.words(rows)).isEqualTo(words);
    }

    @Test
    void all_ofRows_setsThoseAndNoMore() {
        for (int rows = 1; rows <= 300; rows++) {
            int words = Bits.words(rows);
            long[] block = new long[words];
            Bits.all(block, words, rows);
            BitSet expected = new BitSet();
            expected.set(0, rows);
            assertThat(BitSet.valueOf(block)).isEqualTo(expected);
            assertThat(Bits.cardinality(block, words)).isEqualTo(rows);
        }
        long[] block = new long[2];
        Bits.all(block, 2, 1000);
        assertThat(block).containsOnly(-1L);
    }

    private long[] bitmap(int words) {
        return random.longs(words).map(word -> word & random.nextLong()).toArray();
    }

    private static BitSet part(long[] bitmap, int words, int from) {
        return BitSet.valueOf(bitmap).get(from << 6, (from + words) << 6);
    }

    @RepeatedTest(30)
    void operations_onPartsOfBitmaps_areThoseOfSets() {
        int words = 1 + random.nextInt(9);
        int from = random.nextInt(5);
        long[] a = bitmap(words + from);
        long[] b = bitmap(words + from);
        long[] start = bitmap(words);

        long[] block = start.clone();
        Bits.and(block, words, a, from);
        BitSet expected = BitSet.valueOf(start);
        expected.and(part(a, words, from));
        assertThat(BitSet.valueOf(block)).as("seed=%d", seed).isEqualTo(expected);
        assertThat(Bits.cardinality(block, words)).as("seed=%d", seed).isEqualTo(expected.cardinality());

        block = start.clone();
        Bits.and(block, words, a, b, from);
        expected = part(a, words, from);
        expected.and(part(b, words, from));
        assertThat(BitSet.valueOf(block)).as("seed=%d", seed).isEqualTo(expected);

        block = start.clone();
        Bits.andBoth(block, words, a, b, from);
        expected.and(BitSet.valueOf(start));
        assertThat(BitSet.valueOf(block)).as("seed=%d", seed).isEqualTo(expected);

        block = start.clone();
        Bits.andNot(block, words, a, from);
        expected = BitSet.valueOf(start);
        expected.andNot(part(a, words, from));
        assertThat(BitSet.valueOf(block)).as("seed=%d", seed).isEqualTo(expected);

        block = start.clone();
        Bits.or(block, words, a, from);
        expected = BitSet.valueOf(start);
        expected.or(part(a, words, from));
        assertThat(BitSet.valueOf(block)).as("seed=%d", seed).isEqualTo(expected);
    }

    @RepeatedTest(30)
    void orList_ofASortedList_setsThoseWithinTheBlock() {
        int all = 1 + random.nextInt(1000);
        int[] list = random.ints(random.nextInt(60), 0, all).sorted().distinct().toArray();
        int from = random.nextInt(Bits.words(all));
        int words = 1 + random.nextInt(Bits.words(all) - from);
        long[] block = bitmap(words);
        BitSet expected = BitSet.valueOf(block);
        for (int row : list) {
            if (row >>> 6 >= from && row >>> 6 < from + words) {
                expected.set(row - (from << 6));
            }
        }
        Bits.orList(block, words, list, from << 6);
        assertThat(BitSet.valueOf(block)).as("seed=%d", seed).isEqualTo(expected);
    }
}
