package dev.touchstone.index.table;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CodeSetsTest {
    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    @Test
    void key_ofAnyCodes_isReadAsTheyWere() {
        int[] codes = {1, 0xD7FF, 0xD800, 0xDC00, 0xFFFF, 0x10000, 0x12345678, Integer.MAX_VALUE};
        String key = CodeSets.key(codes);
        assertThat(CodeSets.isKey(key)).isTrue();
        assertThat(CodeSets.members(key)).isEqualTo(codes);
        assertThat(CodeSets.isKey("")).isFalse();
        assertThat(CodeSets.isKey("\uD83D\uDE00")).isFalse();
    }

    /** Sets come and go in steps of many, beside a map; the sets before a step stay as they were. */
    @Test
    void next_withRandomChanges_hasTheSetsOfEachCode() {
        Map<Integer, int[]> live = new HashMap<>(); // by code of the set
        CodeSets sets = null;
        for (int step = 0; step < 300; step++) {
            List<Integer> removed = new ArrayList<>();
            List<String> removedTexts = new ArrayList<>();
            for (int code : List.copyOf(live.keySet())) {
                if (random.nextInt(step % 50 == 49 ? 1 : 4) == 0) {
                    removed.add(code);
                    removedTexts.add(CodeSets.key(requireNonNull(live.get(code))));
                }
            }
            List<Integer> added = new ArrayList<>(List.of(500_000));
            List<String> addedTexts = new ArrayList<>(List.of("a string"));
            Map<Integer, int[]> fresh = new HashMap<>();
            for (int left = random.nextInt(20); left > 0; left--) {
                int code = 1000 + random.nextInt(2000);
                int[] members = random.ints(2 + random.nextInt(5), 1, 600)
                        .sorted()
                        .distinct()
                        .toArray();
                if (!live.containsKey(code) && fresh.put(code, members) == null) {
                    added.add(code);
                }
            }
            for (int i = 1; i < added.size(); i++) {
                addedTexts.add(CodeSets.key(requireNonNull(fresh.get(added.get(i)))));
            }
            CodeSets before = sets;
            Map<Integer, int[]> liveBefore = Map.copyOf(live);
            live.keySet().removeAll(removed);
            live.putAll(fresh);
            sets = CodeSets.next(sets, codes(removed), removedTexts, codes(added), addedTexts);
            assertSets(sets, live, "seed=" + seed + " step=" + step);
            assertSets(before, liveBefore, "seed=" + seed + " before step=" + step);
        }
    }

    private static void assertSets(@Nullable CodeSets sets, Map<Integer, int[]> live, String what) {
        assertThat(sets == null ? 0 : sets.size()).as(what).isEqualTo(live.size());
        Map<Integer, Set<Integer>> expected = new HashMap<>(); // by code of a string: that code and those of its sets
        live.forEach((set, members) -> {
            for (int member : members) {
                expected.computeIfAbsent(member, code -> new TreeSet<>(Set.of(code)))
                        .add(set);
            }
        });
        for (int code = 1; code < 700 && sets != null; code++) {
            int[] covering = sets.covering(code);
            assertThat(covering == null ? new int[0] : covering)
                    .as("%s code=%d", what, code)
                    .isEqualTo(codes(List.copyOf(expected.getOrDefault(code, Set.of()))));
        }
    }

    private static int[] codes(List<Integer> codes) {
        return codes.stream().mapToInt(Integer::intValue).toArray();
    }
}
