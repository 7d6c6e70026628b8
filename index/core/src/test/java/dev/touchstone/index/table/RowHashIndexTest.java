package dev.touchstone.index.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RowHashIndexTest {
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    @ParameterizedTest
    @CsvSource({
        // rows, words, distinct values of a word
        "1, 1, 1",
        "2, 1, 1",
        "7, 1, 100",
        "1000, 1, 10",
        "1000, 3, 4",
        "5000, 2, 1000000",
        "65534, 1, 30000",
        "65535, 1, 30000",
        "65536, 2, 200",
        "100000, 1, 1000000",
    })
    void first_andNext_giveAllEqualRowsInOrder(int count, int words, int distinct) {
        long[] rows = new long[count * words];
        long[] values = LongStream.range(0, Math.min(distinct, count))
                .map(i -> random.nextBoolean() ? i : random.nextLong())
                .toArray();
        Map<List<Long>, List<Integer>> expected = new HashMap<>();
        for (int row = 0; row < count; row++) {
            List<Long> key = new ArrayList<>();
            for (int word = 0; word < words; word++) {
                rows[row * words + word] = values[random.nextInt(values.length)];
                key.add(rows[row * words + word]);
            }
            expected.computeIfAbsent(key, some -> new ArrayList<>()).add(row);
        }
        RowHashIndex table = new RowHashIndex(rows, count, words, -1);
        expected.forEach((key, ordinals) -> {
            List<Integer> found = new ArrayList<>();
            long[] row = key.stream().mapToLong(Long::longValue).toArray();
            for (int at = table.first(row); at != RowHashIndex.NONE; at = table.next(at)) {
                found.add(at);
            }
            assertThat(found).as("seed=%d", seed).isEqualTo(ordinals);
            if (words == 1) {
                assertThat(table.first(row[0])).as("seed=%d", seed).isEqualTo(table.first(row));
            }
        });
        for (int i = 0; i < 1000; i++) {
            long[] absent = LongStream.generate(random::nextLong).limit(words).toArray();
            boolean isKnown = expected.containsKey(Arrays.stream(absent).boxed().toList());
            assertThat(table.first(absent) != RowHashIndex.NONE)
                    .as("seed=%d", seed)
                    .isEqualTo(isKnown);
            assertThat(words > 1 || isKnown || table.first(absent[0]) == RowHashIndex.NONE)
                    .as("seed=%d", seed)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3"})
    void first_inATableOfRowsWithOtherBits_looksAtCodesOnly(int words) {
        long codes = -1L >>> 20;
        int count = 3000;
        long[] rows = random.longs((long) count * words).toArray();
        RowHashIndex table = new RowHashIndex(rows, count, words, codes);
        for (int row = 0; row < count; row++) {
            long[] key = Arrays.copyOfRange(rows, row * words, (row + 1) * words);
            key[words - 1] &= codes;
            assertThat(table.first(key)).as("seed=%d", seed).isEqualTo(row);
            assertThat(words > 1 || table.first(key[0]) == row)
                    .as("seed=%d", seed)
                    .isTrue();
            key[words - 1] ^= 1L << random.nextInt(44);
            assertThat(table.first(key)).as("seed=%d", seed).isEqualTo(RowHashIndex.NONE);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "1, 20", "1, 45", "1, 52", "2, 0", "2, 52"})
    void home_ofRowsThatDifferInSomeBitsOnly_isSeldomTheSame(int words, int shift) {
        int count = 1 << 12;
        long[] rows = new long[count * words];
        for (int row = 0; row < count; row++) {
            rows[row * words] = (long) row << shift;
        }
        RowHashIndex table = new RowHashIndex(rows, count, words, -1);
        long homes = IntStream.range(0, count)
                .map(row -> table.home(table.hash(rows, row * words)))
                .distinct()
                .count();
        assertThat(homes).isGreaterThan(count / 2);
    }

    /** Returns the number that makes 1 of a product with an odd number. */
    private static long inverse(long odd) {
        long inverse = odd; // right in three bits
        for (int bits = 3; bits < Long.SIZE; bits *= 2) {
            inverse *= 2 - odd * inverse;
        }
        return inverse;
    }

    /** Rows whose hashes begin in one slot by the factor that tables try first, in sizes around the limits of slots and ordinals. */
    @ParameterizedTest
    @CsvSource({
        "0, 1",
        "1, 1",
        "2, 1",
        "3, 1",
        "4, 1",
        "5, 1",
        "1023, 1",
        "1024, 1",
        "1025, 1",
        "65533, 1",
        "65534, 1",
        "65535, 1",
        "65536, 1",
        "65537, 1",
        "131071, 1",
        "131072, 1",
        "131072, 2"
    })
    void home_ofRowsThatWereChosenForOneSlot_isSeldomTheSame(int count, int words) {
        long row = inverse(0x9E3779B97F4A7C15L); // has the hash 1
        assertThat(row * 0x9E3779B97F4A7C15L).isEqualTo(1);
        long[] rows = new long[count * words];
        for (int i = 0; i < count; i++) {
            rows[(i + 1) * words - 1] = i * row;
        }
        RowHashIndex table = new RowHashIndex(rows, count, words, -1);
        long homes = IntStream.range(0, count)
                .map(i -> table.home(table.hash(rows, i * words)))
                .distinct()
                .count();
        assertThat(homes)
                .isGreaterThanOrEqualTo(count < 100 ? 0 : count / 40); // as many rows in one slot take 20 steps each
        int found = 0;
        for (int i = 0; i < count; i++) {
            long[] key = Arrays.copyOfRange(rows, i * words, (i + 1) * words);
            boolean isFirst = table.first(key) == i && (words > 1 || table.first(key[0]) == i);
            found += isFirst && table.next(i) == RowHashIndex.NONE ? 1 : 0;
        }
        assertThat(found).isEqualTo(count);
    }

    @Test
    void table_ofAnArrayThatIsLongerThanItsRows_hasThoseRowsOnly() {
        long[] rows = LongStream.range(1, 1000).toArray();
        RowHashIndex table = new RowHashIndex(rows, 10, 1, -1);
        assertThat(table.first(10)).isEqualTo(9);
        assertThat(table.first(11)).isEqualTo(RowHashIndex.NONE);
    }

    @Test
    void first_inATableWithoutRows_isNone() {
        assertThat(new RowHashIndex(new long[0], 0, 2, -1).first(new long[2])).isEqualTo(RowHashIndex.NONE);
    }

    @Test
    void first_ofARowLongerThanATablesWords_looksAtThoseOnly() {
        RowHashIndex table = new RowHashIndex(new long[] {5, 6}, 2, 1, -1);
        assertThat(table.first(new long[] {6, 99})).isEqualTo(1);
    }
}
