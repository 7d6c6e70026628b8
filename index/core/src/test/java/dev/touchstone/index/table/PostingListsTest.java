package dev.touchstone.index.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostingListsTest {
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    @ParameterizedTest
    @CsvSource({
        // rows, highest code
        "0, 0",
        "1, 0",
        "1, 1",
        "64, 3",
        "65, 2000000000",
        "1000, 5",
        "1000, 300",
        "3000, 100000",
        "70000, 66000",
        "70000, 10000000",
    })
    void lists_ofRandomRows_haveTheRowsOfEachCodeInOrder(int count, int highest) {
        RowLayout layout = new RowLayout(new int[] {3, highest});
        long[] rows = new long[count * layout.words()];
        Map<Integer, List<Integer>> expected = new TreeMap<>();
        for (int row = 0; row < count; row++) {
            double one = random.nextDouble();
            int code = (int) (one * one * one * (highest + 1.0));
            layout.put(rows, row, 0, random.nextInt(4));
            layout.put(rows, row, 1, code);
            if (code != 0) {
                expected.computeIfAbsent(code, some -> new ArrayList<>()).add(row);
            }
        }
        PostingLists lists = new PostingLists(rows, count, layout, 1, new SharedParts());
        expected.forEach((code, ordinals) -> {
            String what = "seed=" + seed + " code=" + code;
            int place = lists.place(code);
            assertThat(lists.cardinality(place)).as(what).isEqualTo(ordinals.size());
            assertThat(rows(lists, place, count)).as(what).isEqualTo(ordinals);
            assertThat(lists.bitmap(place) == null)
                    .as(what)
                    .isEqualTo(ordinals.size() * 64L < count)
                    .isEqualTo(lists.list(place) != null);
        });
        for (int code : new int[] {0, highest, highest + 1, Integer.MAX_VALUE}) {
            assertThat(lists.place(code) >= 0).as("seed=%d code=%d", seed, code).isEqualTo(expected.containsKey(code));
        }
        for (int i = 0; i < 1000; i++) {
            int code = random.nextInt(Math.max(1, highest));
            assertThat(lists.place(code) >= 0).as("seed=%d code=%d", seed, code).isEqualTo(expected.containsKey(code));
        }
    }

    private static List<Integer> rows(PostingLists lists, int place, int count) {
        List<Integer> found = new ArrayList<>();
        int[] list = lists.list(place);
        long[] bitmap = lists.bitmap(place);
        for (int row = 0; bitmap != null && row < count; row++) {
            if ((bitmap[row >>> 6] >>> row & 1) != 0) {
                found.add(row);
            }
        }
        for (int i = 0; list != null && i < list.length; i++) {
            found.add(list[i]);
        }
        return found;
    }

    /** A dictionary is the whole index's: an offering of few prices must not pay for all strings that others have. */
    @Test
    void lists_ofFewRowsWithHighCodes_takeLittleRoom() {
        RowLayout layout = new RowLayout(new int[] {1 << 24});
        long[] rows = {1 << 24, 5, 0, (1 << 24) - 1};
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        PostingLists lists = new PostingLists(rows, rows.length, layout, 0, new SharedParts());
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 10; i++) {
            lists = new PostingLists(rows, rows.length, layout, 0, new SharedParts());
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10 * 100_000);
        assertThat(lists.place(1 << 24)).isEqualTo(2);
        assertThat(lists.place(6)).isEqualTo(-1);
    }
}
