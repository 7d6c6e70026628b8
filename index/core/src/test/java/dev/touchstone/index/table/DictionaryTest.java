package dev.touchstone.index.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DictionaryTest {
    private static final String SIGNS = "aaab01-. \u00e9\u00fc\u4e16\ud83d\ude07\u0000";

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final SplittableRandom random = new SplittableRandom(seed);

    private void assertCodes(List<String> values, Dictionary dictionary) {
        assertThat(dictionary.size()).isEqualTo(values.size());
        assertThat(dictionary.values()).isEqualTo(values);
        for (int i = 0; i < values.size(); i++) {
            String what = "seed=" + seed + " value=" + values.get(i);
            assertThat(dictionary.value(i + 1)).as(what).isEqualTo(values.get(i));
            assertBoth(dictionary, values.get(i), i + 1, what);
        }
    }

    private void assertBoth(Dictionary dictionary, String value, int code, String what) {
        assertThat(dictionary.code(value)).as(what).isEqualTo(code);
        byte[] utf8 = ("{" + value + "}").getBytes(StandardCharsets.UTF_8);
        assertThat(dictionary.code(utf8, 1, utf8.length - 1)).as(what).isEqualTo(code);
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int left = random.nextInt(random.nextBoolean() ? 4 : 60); left > 0; left--) {
            text.appendCodePoint(SIGNS.codePointAt(SIGNS.offsetByCodePoints(0, random.nextInt(13))));
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 10, 300, 4000, 4095, 4096, 6000})
    void code_ofRandomStrings_isThatOfTheirPlace(int count) {
        Set<String> values = new LinkedHashSet<>();
        while (values.size() < count) {
            values.add(count < 1000 ? text() : text() + values.size());
        }
        List<String> list = new ArrayList<>(values);
        Dictionary dictionary = Dictionary.empty().plus(list);
        assertCodes(list, dictionary);
        for (int i = 0; i < 2000; i++) {
            String absent = text() + "?";
            assertBoth(dictionary, absent, 0, "seed=" + seed + " absent=" + absent);
        }
    }

    @Test
    void code_ofTheEmptyString_isItsOwn() {
        Dictionary without = Dictionary.empty().plus(List.of("a", "b"));
        assertBoth(without, "", 0, "");
        assertBoth(without.plus(List.of("")), "", 3, "");
        assertBoth(Dictionary.empty(), "", 0, "");
    }

    @Test
    void code_ofEqualPrefixes_tellsThemApart() {
        List<String> values = new ArrayList<>();
        for (int length = 0; length < 300; length++) {
            values.add("x".repeat(length));
            values.add("x".repeat(length) + "y");
        }
        Dictionary dictionary = Dictionary.empty().plus(values);
        assertCodes(values, dictionary);
        assertBoth(dictionary, "x".repeat(300), 0, "");
        assertBoth(dictionary, "y", 2, "");
        assertBoth(dictionary, "yx", 0, "");
    }

    /** Strings of one length that differ only where no place is looked at. */
    @Test
    void code_ofStringsThatShareAllSamples_isFoundAllTheSame() {
        for (int count : new int[] {3, 40, 500, 4000}) {
            List<String> values = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                values.add("h".repeat(60) + String.format(Locale.ROOT, "%06d", i) + "t".repeat(4));
            }
            Dictionary dictionary = Dictionary.empty().plus(values);
            assertCodes(values, dictionary);
            assertBoth(dictionary, "h".repeat(60) + "abcdef" + "t".repeat(4), 0, "count=" + count);
        }
    }

    /** As above, among many that can be told apart: few enough that places are chosen, and in one slot. */
    @Test
    void code_ofAFewThatShareAllSamplesAmongOthers_isFoundAllTheSame() {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            values.add("value-" + i);
        }
        for (int i = 0; i < 40; i++) {
            values.add("h".repeat(60) + (char) ('A' + i) + "t");
        }
        assertCodes(values, Dictionary.empty().plus(values));
    }

    @Test
    void code_ofStringsWithOneHashCode_isFound() {
        List<String> values = new ArrayList<>(List.of(""));
        for (int i = 0; i < 12; i++) {
            List<String> longer = new ArrayList<>();
            for (String value : values) {
                longer.add(value + "Aa");
                longer.add(value + "BB");
            }
            values = longer;
        }
        assertThat(values.stream().mapToInt(String::hashCode).distinct().count())
                .isEqualTo(1);
        Dictionary dictionary = Dictionary.empty().plus(values);
        assertCodes(values, dictionary);
        assertBoth(dictionary, "Aa".repeat(11) + "Ab", 0, "");
    }

    @Test
    void plus_keepsCodesAndLeavesTheFirstOneAsItWas() {
        List<String> values = new ArrayList<>();
        Dictionary dictionary = Dictionary.empty();
        RefCounts counts = RefCounts.none();
        for (int round = 0; round < 30; round++) {
            DictionaryDraft draft = new DictionaryDraft(dictionary, counts, true);
            List<String> all = new ArrayList<>(values);
            for (int i = 0; i < 20; i++) {
                String text = text();
                int at = all.indexOf(text);
                assertThat(draft.code(text)).as("seed=%d", seed).isEqualTo(at < 0 ? all.size() + 1 : at + 1);
                draft.use(draft.code(text), 1);
                if (at < 0) {
                    all.add(text);
                }
                assertThat(draft.size()).isEqualTo(all.size());
            }
            Dictionary next = draft.build();
            counts = draft.counts();
            assertCodes(values, dictionary);
            assertCodes(all, next);
            values = all;
            dictionary = next;
        }
        assertThat(dictionary.plus(List.of())).isSameAs(dictionary);
    }

    /** Strings come and go; the dictionary beside it is a map. Large ones change between positions and pages. */
    @ParameterizedTest
    @ValueSource(ints = {3, 60, 700, 9000})
    void build_afterRandomUses_holdsTheStringsThatAreUsed(int strings) {
        Map<String, Integer> codes = new HashMap<>();
        Map<String, Integer> uses = new HashMap<>();
        Dictionary dictionary = Dictionary.empty();
        RefCounts counts = RefCounts.none();
        int most = 0;
        for (int round = 0; round < 60; round++) {
            String what = "seed=" + seed + " strings=" + strings + " round=" + round;
            DictionaryDraft draft = new DictionaryDraft(dictionary, counts, true);
            boolean isShrinking = round % 20 > 12;
            for (int i = random.nextInt(strings); i >= 0; i--) {
                String text =
                        "s" + random.nextInt(2 * strings) + (char) ('a' + random.nextInt(3)) + "\u00fc".repeat(i % 2);
                int known = uses.getOrDefault(text, 0);
                int change = known > 0 && (isShrinking || random.nextBoolean()) ? -1 : isShrinking ? 0 : 1;
                if (change == 0) {
                    draft.code(text); // stays without a use
                } else {
                    draft.use(draft.code(text), change);
                    uses.merge(text, change, Integer::sum);
                }
            }
            dictionary = draft.build();
            counts = draft.counts();
            uses.values().removeIf(count -> count == 0);
            codes.keySet().retainAll(uses.keySet());
            most = Math.max(most, uses.size());
            assertThat(dictionary.size()).as(what).isEqualTo(uses.size());
            assertThat(new HashSet<>(dictionary.values())).as(what).isEqualTo(uses.keySet());
            for (Map.Entry<String, Integer> one : uses.entrySet()) {
                int code = dictionary.code(one.getKey());
                assertBoth(dictionary, one.getKey(), codes.getOrDefault(one.getKey(), code), what);
                codes.put(one.getKey(), code);
                assertThat(counts.uses(code)).as(what).isEqualTo(one.getValue());
                assertThat(dictionary.value(code)).isEqualTo(one.getKey());
            }
            assertThat(new HashSet<>(codes.values())).as(what).hasSize(uses.size());
            assertThat(dictionary.highest()).as(what).isLessThanOrEqualTo(most + strings);
            for (int i = 0; i < 50; i++) {
                String absent = text() + "?";
                assertBoth(dictionary, absent, 0, what + " absent=" + absent);
            }
        }
    }

    @Test
    void use_ofFewerThanNone_isRefused() {
        DictionaryDraft draft = new DictionaryDraft(Dictionary.of(List.of("a")), RefCounts.none(), true);
        assertThatThrownBy(() -> draft.use(1, -1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("code=1");
        assertThatThrownBy(draft::counts).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void value_ofACodeWithoutAString_isRefused() {
        DictionaryDraft draft = new DictionaryDraft(Dictionary.of(List.of("a", "b")), RefCounts.none(), true);
        draft.use(2, 1);
        draft.requireUses();
        Dictionary dictionary = draft.build();
        assertThat(dictionary.values()).containsExactly("b");
        assertThat(dictionary.ranks()).containsExactly(0, 0, 1);
        assertThatThrownBy(() -> dictionary.value(1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("code=1");
    }

    @Test
    void code_ofBytesThatAreNoUtf8_isNone() {
        Dictionary dictionary = Dictionary.empty().plus(List.of("a", "\u00e9", "ab"));
        for (byte[] bytes :
                new byte[][] {{(byte) 0xff}, {(byte) 0xc3}, {'a', (byte) 0x80}, {(byte) 0xc0, (byte) 0xe1}}) {
            assertThat(dictionary.code(bytes, 0, bytes.length)).isZero();
        }
    }
}
