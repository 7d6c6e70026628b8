package dev.touchstone.index.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RowLayoutTest {
    private static final AtomicLong SEEDS = new AtomicLong(Long.getLong("seed", System.nanoTime())); // one for each run

    private final long seed = SEEDS.getAndIncrement();
    private final SplittableRandom random = new SplittableRandom(seed);

    @RepeatedTest(50)
    void code_afterPut_isThatOfEachFieldAndRow() {
        int[] highest = new int[random.nextInt(64)];
        for (int i = 0; i < highest.length; i++) {
            highest[i] = random.nextInt() >>> (1 + random.nextInt(31));
        }
        RowLayout layout = new RowLayout(highest);
        int count = 1 + random.nextInt(40);
        long[] rows = new long[count * layout.words()];
        int[][] expected = new int[count][highest.length];
        for (int row = 0; row < count; row++) {
            for (int field = 0; field < highest.length; field++) {
                int code = highest[field] == 0
                        ? 0
                        : random.nextInt(4) == 0 ? highest[field] : random.nextInt(highest[field]);
                expected[row][field] = code;
                layout.put(rows, row, field, code);
            }
        }
        for (int row = 0; row < count; row++) {
            for (int field = 0; field < highest.length; field++) {
                String what = "seed=" + seed + " row=" + row + " field=" + field;
                assertThat(layout.code(rows, row, field)).as(what).isEqualTo(expected[row][field]);
                long word = rows[row * layout.words() + layout.word(field)];
                assertThat(word & layout.mask(field)).as(what).isEqualTo(layout.placed(field, expected[row][field]));
                assertThat(layout.holds(field, highest[field])).as(what).isTrue();
            }
        }
    }

    @Test
    void masks_ofOneWord_doNotOverlap() {
        int[] highest = new int[63];
        for (int i = 0; i < highest.length; i++) {
            highest[i] = random.nextInt() >>> (1 + random.nextInt(31));
        }
        RowLayout layout = new RowLayout(highest);
        long[] used = new long[layout.words()];
        for (int field = 0; field < highest.length; field++) {
            assertThat(used[layout.word(field)] & layout.mask(field))
                    .as("seed=%d", seed)
                    .isZero();
            assertThat(Long.bitCount(layout.mask(field)))
                    .as("seed=%d", seed)
                    .isEqualTo(Integer.SIZE - Integer.numberOfLeadingZeros(highest[field]));
            used[layout.word(field)] |= layout.mask(field);
        }
    }

    @RepeatedTest(50)
    void row_ofFieldsInOneWord_isTheRowThatPutMakes() {
        int[] highest = new int[1 + random.nextInt(6)];
        for (int i = 0; i < highest.length; i++) {
            highest[i] = random.nextInt(1 << 10);
        }
        RowLayout layout = new RowLayout(highest);
        int[] fields = new int[highest.length];
        int[] codes = new int[highest.length];
        long[] rows = new long[1];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = fields.length - 1 - i;
            codes[i] = random.nextInt(highest[fields[i]] + 1);
            layout.put(rows, 0, fields[i], codes[i]);
        }
        assertThat(layout.row(fields, codes, fields.length)).as("seed=%d", seed).isEqualTo(rows[0]);
        codes[0] = Integer.highestOneBit(highest[fields[0]]) * 2 + 1;
        assertThat(layout.row(fields, codes, fields.length)).as("seed=%d", seed).isEqualTo(RowLayout.NO_ROW);
    }

    @Test
    void layout_withoutFields_hasOneWord() {
        assertThat(new RowLayout(new int[0]).words()).isEqualTo(1);
    }

    @Test
    void layout_ofAFullWord_putsTheNextFieldIntoAnother() {
        int half = Integer.MAX_VALUE;
        RowLayout layout = new RowLayout(new int[] {half, half, 7, 0, 1});
        assertThat(layout.words()).isEqualTo(2);
        assertThat(layout.word(1)).isZero();
        assertThat(layout.word(2)).isEqualTo(1);
    }

    @Test
    void layout_ofAWordThatIsFullToTheLastBit_holdsAFieldWithoutBits() {
        RowLayout layout = new RowLayout(new int[] {Integer.MAX_VALUE, Integer.MAX_VALUE, 3, 0});
        long[] rows = new long[layout.words()];
        RowLayout full = new RowLayout(new int[] {(1 << 30) - 1, (1 << 30) - 1, 15, 0});
        assertThat(full.words()).isEqualTo(1);
        full.put(rows, 0, 2, 15);
        full.put(rows, 0, 3, 0);
        assertThat(full.code(rows, 0, 3)).isZero();
        assertThat(full.code(rows, 0, 2)).isEqualTo(15);
        assertThat(full.holds(3, 0)).isTrue();
        assertThat(full.holds(3, 1)).isFalse();
        assertThat(full.holds(2, 16)).isFalse();
    }
}
