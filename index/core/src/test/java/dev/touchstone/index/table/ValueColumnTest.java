package dev.touchstone.index.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ValueColumnTest {
    private static final AtomicLong SEEDS = new AtomicLong(Long.getLong("seed", System.nanoTime())); // one for each run
    private static final long MAX = 999_999_999_999_999_999L;

    private final long seed = SEEDS.getAndIncrement();
    private final SplittableRandom random = new SplittableRandom(seed);

    private static ValueColumn of(long... numbers) {
        return new ValueColumn(LongBuffer.wrap(numbers));
    }

    private static long[] all(ValueColumn column) {
        long[] numbers = new long[column.count()];
        Arrays.setAll(numbers, column::get);
        return numbers;
    }

    @RepeatedTest(200)
    void in_rowsOfAnyLayout_keepsNumbersAndCodes() {
        int[] highest = new int[random.nextInt(6)];
        Arrays.setAll(highest, i -> random.nextInt() >>> (1 + random.nextInt(31)));
        RowLayout layout = new RowLayout(highest);
        int count = 1 + random.nextInt(100);
        long[] rows = new long[count * layout.words() + random.nextInt(3)];
        for (int row = 0; row < count; row++) {
            for (int field = 0; field < highest.length; field++) {
                layout.put(rows, row, field, highest[field] == 0 ? 0 : random.nextInt(highest[field]));
            }
        }
        long[] before = rows.clone();
        long middle = random.nextLong(-MAX / 2, MAX / 2);
        long reach = random.nextLong(MAX / 2) >>> random.nextInt(60);
        long[] numbers = random.longs(count, middle - reach, middle + reach + 1).toArray();
        ValueColumn packed = of(numbers).in(rows, layout);
        assertThat(all(packed)).as("seed=%d", seed).isEqualTo(numbers);
        for (int row = 0; row < count; row++) {
            for (int field = 0; field < highest.length; field++) {
                assertThat(layout.code(rows, row, field))
                        .as("seed=%d row=%d field=%d", seed, row, field)
                        .isEqualTo(layout.code(before, row, field));
            }
            long last = rows[(row + 1) * layout.words() - 1];
            assertThat(last & layout.codes()).as("seed=%d", seed).isEqualTo(before[(row + 1) * layout.words() - 1]);
        }
        assertThat(Arrays.copyOfRange(rows, count * layout.words(), rows.length))
                .as("seed=%d", seed)
                .isEqualTo(Arrays.copyOfRange(before, count * layout.words(), before.length));
    }

    @Test
    void in_rowsWithJustEnoughFreeBits_packs() {
        RowLayout layout = new RowLayout(new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE}); // 62 bits
        ValueColumn column = of(-3, 0, -1);
        ValueColumn packed = column.in(new long[3], layout);
        assertThat(layout.free()).isEqualTo(2);
        assertThat(packed).isNotSameAs(column);
        assertThat(all(packed)).containsExactly(-3, 0, -1);
    }

    @Test
    void in_rowsWithTooFewFreeBits_leavesRowsAlone() {
        RowLayout layout = new RowLayout(new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE});
        long[] rows = new long[2];
        ValueColumn column = of(-3, 1);
        assertThat(column.in(rows, layout)).isSameAs(column);
        assertThat(rows).containsOnly(0);
        assertThat(of(Long.MIN_VALUE, Long.MAX_VALUE)
                        .in(rows, new RowLayout(new int[] {1}))
                        .get(1))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(rows).containsOnly(0);
    }

    @Test
    void in_rowsWithoutCodes_packsAllNumbers() {
        ValueColumn column = of(Long.MAX_VALUE, Long.MIN_VALUE, 0);
        ValueColumn packed = column.in(new long[3], new RowLayout(new int[2]));
        assertThat(packed).isNotSameAs(column);
        assertThat(all(packed)).containsExactly(Long.MAX_VALUE, Long.MIN_VALUE, 0);
    }

    @Test
    void in_rowsWithoutFreeBits_leavesRowsAlone() {
        RowLayout layout = new RowLayout(new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE, 3});
        long[] rows = {-1};
        ValueColumn column = of(7);
        assertThat(layout.free()).isZero();
        assertThat(layout.codes()).isEqualTo(-1);
        assertThat(column.in(rows, layout)).isSameAs(column);
    }
}
