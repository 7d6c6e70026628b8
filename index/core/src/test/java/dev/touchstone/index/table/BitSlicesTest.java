package dev.touchstone.index.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BitSlicesTest {
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    @ParameterizedTest
    @CsvSource({
        // rows, highest code
        "1, 1",
        "63, 2",
        "64, 3",
        "65, 4",
        "500, 7",
        "500, 8",
        "1000, 1000",
        "700, 2147483647",
    })
    void range_andWord_findWhatAPlainLoopFinds(int count, int highest) {
        RowLayout layout = new RowLayout(new int[] {5, highest});
        long[] rows = new long[count * layout.words()];
        int[] codes = new int[count];
        for (int row = 0; row < count; row++) {
            codes[row] = random.nextInt(5) == 0 ? 0 : random.nextInt(9) == 0 ? highest : 1 + random.nextInt(highest);
            layout.put(rows, row, 0, random.nextInt(6));
            layout.put(rows, row, 1, codes[row]);
        }
        BitSlices slices = new BitSlices(rows, count, layout, 1, highest);
        int all = Bits.words(count);
        for (int i = 0; i < 400; i++) {
            int from = random.nextInt(all);
            int words = 1 + random.nextInt(all - from);
            int a = code(codes, highest);
            int b = code(codes, highest);
            int low = Math.min(a, b);
            int high = Math.max(a, b);
            String what = "seed=" + seed + " from=" + from + " words=" + words + " low=" + low + " high=" + high;
            long[] found = new long[words + 1];
            found[0] = random.nextLong();
            found[words] = 77;
            slices.range(found, new long[words], words, from, low, high);
            assertBlock(found, words, from, codes, low, high, what);
            for (int w = 0; w < words; w++) {
                assertThat(slices.word(from + w, low, high)).as(what).isEqualTo(found[w]);
            }
        }
    }

    private int code(int[] codes, int highest) {
        int code = codes[random.nextInt(codes.length)];
        return code != 0 && random.nextBoolean() ? code : 1 + random.nextInt(highest);
    }

    private static void assertBlock(long[] found, int words, int from, int[] codes, int low, int high, String what) {
        for (int row = from << 6; row < (from + words) << 6; row++) {
            boolean isSet = (found[(row >>> 6) - from] >>> row & 1) != 0;
            boolean isExpected = row < codes.length && low <= codes[row] && codes[row] <= high;
            assertThat(isSet).as(what).isEqualTo(isExpected);
        }
        assertThat(found[words]).as(what).isEqualTo(77);
    }
}
