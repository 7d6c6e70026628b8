package dev.touchstone.index.table;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The distinct strings of one field, each with a code from 1 in the order of arrival. Code 0 stands for a string that is not in the dictionary.
 * Immutable and thread-safe; a look-up allocates nothing.
 *
 * <p>A look-up does not hash the whole string: it uses the length and the characters at up to {@value Samples#MAX_PLACES} positions, which were
 * chosen because they differ between the strings of the dictionary, and compares few candidates. If no choice of positions does, as among very many
 * or hostile strings, a {@link HashMap} is used instead, which has no bad case.
 */
public final class Dictionary {
    /** Maximum number of strings for which positions are chosen. */
    private static final int MAX_SAMPLED = 4096;

    /** Maximum number of slots that a look-up visits. */
    private static final int LONGEST_PROBE = 16;

    private static final Dictionary EMPTY = new Dictionary(new String[] {""});

    private final String[] values; // by code
    private final @Nullable Samples samples;
    private final int[] slots; // hash table of codes
    private final @Nullable String[] texts; // strings of the slots, loaded at the same time as `slots`
    private final byte[] @Nullable [] ascii; // bytes of the slots; null for a string that is not ASCII
    private final Map<String, Integer> codes; // used if there are no slots

    private Dictionary(String[] values) {
        this.values = values;
        Samples chosen = values.length <= MAX_SAMPLED ? Samples.choose(values) : null;
        int[] table = chosen == null ? null : fill(values, chosen);
        if (chosen == null || table == null) {
            samples = null;
            slots = new int[0];
            texts = new String[0];
            ascii = new byte[0][];
            codes = new HashMap<>(values.length * 2);
            for (int code = 1; code < values.length; code++) {
                codes.put(values[code], code);
            }
        } else {
            samples = chosen;
            slots = table;
            codes = Map.of();
            texts = new String[table.length];
            ascii = new byte[table.length][];
            for (int at = 0; at < table.length; at++) {
                if (table[at] != 0) {
                    String text = values[table[at]];
                    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
                    texts[at] = text;
                    ascii[at] = utf8.length == text.length() ? utf8 : null;
                }
            }
        }
    }

    /** Returns a hash table of the codes, or null if a look-up would have to visit too many slots. */
    private static int @Nullable [] fill(String[] values, Samples samples) {
        int size = Integer.highestOneBit(Math.max(values.length, 2) * 4);
        int[] slots = new int[size];
        for (int code = 1; code < values.length; code++) {
            int at = samples.hash(values[code]) & (size - 1);
            while (slots[at] != 0) {
                at = (at + 1) & (size - 1);
            }
            slots[at] = code;
        }
        return longestRun(slots) < LONGEST_PROBE ? slots : null;
    }

    /** Returns the maximum number of contiguous slots in use, across the end too. */
    private static int longestRun(int[] slots) {
        int longest = 0;
        int run = 0;
        for (int i = 0; i < 2 * slots.length && longest < slots.length; i++) {
            run = slots[i & (slots.length - 1)] == 0 ? 0 : run + 1;
            longest = Math.max(longest, run);
        }
        return longest;
    }

    /** Returns the dictionary without strings. */
    public static Dictionary empty() {
        return EMPTY;
    }

    /** Returns a dictionary that has the strings of this one under the same codes, and further strings behind them. */
    public Dictionary plus(List<String> more) {
        if (more.isEmpty()) {
            return this;
        }
        String[] all = Arrays.copyOf(values, values.length + more.size());
        for (int i = 0; i < more.size(); i++) {
            all[values.length + i] = more.get(i);
        }
        return new Dictionary(all);
    }

    /** Returns the number of strings, which is the highest code. */
    public int size() {
        return values.length - 1;
    }

    /** Returns the string of a code from 1 to {@link #size}. */
    public String value(int code) {
        return values[code];
    }

    /** Returns all strings in the order of their codes, in a new list. */
    public List<String> values() {
        return new ArrayList<>(Arrays.asList(values).subList(1, values.length));
    }

    /** Returns the code of a string, or 0. */
    public int code(String value) {
        Samples places = samples;
        if (places == null) {
            return codes.getOrDefault(value, 0);
        }
        int mask = texts.length - 1;
        int at = places.hash(value) & mask;
        for (String text = texts[at]; text != null; text = texts[at]) {
            if (text.equals(value)) {
                return slots[at];
            }
            at = (at + 1) & mask;
        }
        return 0;
    }

    /** Returns the code of the string whose UTF-8 bytes are those of an array from one index to before another, or 0. */
    public int code(byte[] bytes, int from, int to) {
        Samples places = samples;
        if (places == null) {
            return code(text(bytes, from, to));
        }
        int mask = slots.length - 1;
        int at = places.hash(bytes, from, to - from) & mask;
        for (int code = slots[at]; code != 0; code = slots[at]) {
            byte[] candidate = ascii[at];
            if (candidate != null && Arrays.equals(candidate, 0, candidate.length, bytes, from, to)) {
                return code;
            }
            at = (at + 1) & mask;
        }
        return isAscii(bytes, from, to) ? 0 : code(text(bytes, from, to)); // only ASCII bytes hash like their string
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    private static boolean isAscii(byte[] bytes, int from, int to) {
        int all = 0;
        for (int i = from; i < to; i++) {
            all |= bytes[i];
        }
        return all >= 0;
    }
}
