package dev.touchstone.index.table;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The distinct strings of one field, each with a code from 1. Code 0 stands for a string that is not in the dictionary. Immutable and thread-safe; a
 * look-up allocates nothing. {@link DictionaryDraft} makes the next dictionary, which shares most of its memory with the one before.
 *
 * <p>A look-up does not hash the whole string: it uses the length and the characters at up to {@value Samples#MAX_PLACES} positions, which were
 * chosen because they differ between the strings of the dictionary, and compares few candidates. If no choice of positions does, as among very many
 * or hostile strings, {@link HashPages} are used instead, which have no bad case.
 *
 * <p>A dictionary may have {@linkplain CodeSets sets} of its strings, each with a code of its own from the same numbers.
 *
 * <p>Invariants: a code has the same string in a dictionary and in all dictionaries that were derived from it while the string stayed there. Only the
 * code of a removed string can get another string, in a later dictionary.
 */
public final class Dictionary {
    /** Maximum number of strings for which positions are chosen. */
    private static final int MAX_SAMPLED = 4096;

    /** Maximum number of codes that {@link #codes} may leave unsorted, so that few codes are compared one after the other. */
    public static final int MAX_UNSORTED = 64;

    /** Maximum number of slots that a look-up visits. */
    private static final int LONGEST_PROBE = 16;

    /** Number of strings up to which positions are chosen whenever the old ones do no longer; among more strings only after many changes. */
    private static final int FEW = 64;

    /** Maximum number of slots for each string, in a table of many slots. */
    private static final int MAX_SPARSE = 32;

    private static final int PAGE_BITS = 8;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final @Nullable String[] NO_TEXTS = {};

    private static final Dictionary EMPTY = new Dictionary();

    private final @Nullable String[][] pages; // by code; null for a code without a string
    private final int size;
    private final int highest;
    private final int edits; // strings that were added or removed since positions were chosen the last time
    private final @Nullable HashProbes samples;
    private final int[] slots; // hash table of codes
    private final @Nullable String[] texts; // strings of the slots, loaded at the same time as `slots`
    private final byte[] @Nullable [] ascii; // bytes of the slots; null for a string that is not ASCII
    private final @Nullable HashPages hashed; // used if there are no slots
    private final @Nullable CodeSets sets; // null if there are none

    private Dictionary() {
        pages = new String[0][];
        size = 0;
        highest = 0;
        edits = MAX_SAMPLED;
        samples = null;
        slots = new int[0];
        texts = NO_TEXTS;
        ascii = new byte[0][];
        hashed = HashPages.EMPTY;
        sets = null;
    }

    /** Creates the dictionary that has, beside the entries of another one, entries under free codes; and lacks the entries of some codes. */
    Dictionary(Dictionary base, int[] removed, List<String> added, int[] codes) {
        highest = Math.max(base.highest, Arrays.stream(codes).max().orElse(0));
        size = base.size - removed.length + added.size();
        pages = Arrays.copyOf(base.pages, (highest >>> PAGE_BITS) + 1);
        boolean[] isOwn = new boolean[pages.length];
        for (int i = base.pages.length; i < pages.length; i++) {
            pages[i] = new String[PAGE];
            isOwn[i] = true;
        }
        for (int code : removed) {
            put(code, null, isOwn);
        }
        for (int i = 0; i < codes.length; i++) {
            put(codes[i], added.get(i), isOwn);
        }
        int changes = base.edits + removed.length + codes.length;
        HashProbes known = size > MAX_SAMPLED ? null : base.samples;
        Slots table = known == null ? null : Slots.of(base, known, removed, added, codes, size);
        if (table == null && known != null) {
            table = Slots.of(known, this);
        }
        if (table == null && size <= MAX_SAMPLED && (size <= FEW || changes >= size / 2)) {
            changes = 0;
            HashProbes chosen = HashProbes.choose(texts(text -> true));
            table = chosen == null ? null : Slots.of(chosen, this);
        }
        edits = Math.min(changes, 2 * MAX_SAMPLED);
        samples = table == null ? null : table.samples;
        slots = table == null ? new int[0] : table.codes;
        texts = table == null ? NO_TEXTS : table.texts;
        ascii = table == null ? new byte[0][] : table.ascii;
        hashed = table != null ? null : hashed(base, removed, added, codes);
        sets = CodeSets.next(
                base.sets, removed, Arrays.stream(removed).mapToObj(base::value).toList(), codes, added);
    }

    private HashPages hashed(Dictionary base, int[] removed, List<String> added, int[] codes) {
        HashPages before = base.hashed;
        if (before != null && !before.isSparse(size)) {
            return before.with(base, removed, added, codes);
        }
        List<String> all = texts(text -> true);
        int[] allCodes = new int[size];
        for (int code = 1, i = 0; code <= highest; code++) {
            if (text(code) != null) {
                allCodes[i++] = code;
            }
        }
        return HashPages.EMPTY.with(this, new int[0], all, allCodes);
    }

    private void put(int code, @Nullable String text, boolean[] isOwn) {
        int page = code >>> PAGE_BITS;
        if (!isOwn[page]) {
            pages[page] = pages[page].clone();
            isOwn[page] = true;
        }
        pages[page][code & (PAGE - 1)] = text;
    }

    /** Hash table of a dictionary with chosen positions, while strings are added to it and removed from it. */
    private static final class Slots {
        final HashProbes samples;
        final int[] codes;
        final @Nullable String[] texts;
        final byte[] @Nullable [] ascii;

        private Slots(HashProbes samples, int[] codes, @Nullable String[] texts, byte[] @Nullable [] ascii) {
            this.samples = samples;
            this.codes = codes;
            this.texts = texts;
            this.ascii = ascii;
        }

        /** Returns the table of all strings of a dictionary; null if a look-up would have to visit too many slots. */
        static @Nullable Slots of(HashProbes samples, Dictionary dictionary) {
            int length = Integer.highestOneBit(Math.max(dictionary.size + 1, 2) * 4);
            Slots table = new Slots(samples, new int[length], new String[length], new byte[length][]);
            for (int code = 1; code <= dictionary.highest; code++) {
                String text = dictionary.text(code);
                if (text != null) {
                    table.add(code, text);
                }
            }
            return table.isShort() ? table : null;
        }

        /** Returns the table of a dictionary after changes; null if its length would not suit, or a look-up would have to visit too many slots. */
        static @Nullable Slots of(
                Dictionary base, HashProbes samples, int[] removed, List<String> added, int[] codes, int size) {
            int length = base.slots.length;
            if (size * 2 > length || (length > FEW && size * MAX_SPARSE < length)) {
                return null;
            }
            Slots table = new Slots(samples, base.slots.clone(), base.texts.clone(), base.ascii.clone());
            for (int code : removed) {
                table.remove(base.value(code));
            }
            for (int i = 0; i < codes.length; i++) {
                table.add(codes[i], added.get(i));
            }
            return table.isShort() ? table : null;
        }

        private void add(int code, String text) {
            int at = samples.hash(text) & (codes.length - 1);
            while (codes[at] != 0) {
                at = (at + 1) & (codes.length - 1);
            }
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            set(at, code, text, utf8.length == text.length() && !CodeSets.isKey(text) ? utf8 : null);
        }

        private void set(int at, int code, @Nullable String text, byte @Nullable [] bytes) {
            codes[at] = code;
            texts[at] = text;
            ascii[at] = bytes;
        }

        /** Removes a string, and moves those behind it up that a look-up would not find any more. */
        private void remove(String text) {
            int mask = codes.length - 1;
            int hole = samples.hash(text) & mask;
            while (!text.equals(texts[hole])) {
                hole = (hole + 1) & mask;
            }
            int at = hole;
            while (true) {
                at = (at + 1) & mask;
                String next = texts[at];
                if (next == null) {
                    break;
                }
                int home = samples.hash(next) & mask;
                if (((at - home) & mask) >= ((at - hole) & mask)) {
                    set(hole, codes[at], next, ascii[at]);
                    hole = at;
                }
            }
            set(hole, 0, null, null);
        }

        /** Returns whether no run of contiguous slots in use, across the end too, is too long. */
        boolean isShort() {
            int run = 0;
            for (int i = 0; i < 2 * codes.length; i++) {
                run = codes[i & (codes.length - 1)] == 0 ? 0 : run + 1;
                if (run >= LONGEST_PROBE) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Returns the dictionary without strings. */
    public static Dictionary empty() {
        return EMPTY;
    }

    /** Returns a dictionary of distinct strings, whose codes are in their order. */
    public static Dictionary of(List<String> texts) {
        return EMPTY.plus(texts);
    }

    /** Returns a dictionary that has the strings of this one under the same codes, and further strings behind them. */
    public Dictionary plus(List<String> more) {
        if (more.isEmpty()) {
            return this;
        }
        int[] codes = new int[more.size()];
        Arrays.setAll(codes, i -> highest + 1 + i);
        return new Dictionary(this, new int[0], more, codes);
    }

    /** Returns a dictionary that has the entries of this one under the same codes, and behind them sets, each of the sorted codes of its strings. */
    public Dictionary plusSets(List<int[]> more) {
        return plus(more.stream().map(CodeSets::key).toList());
    }

    /** Returns the number of strings, without sets. */
    public int size() {
        return sets == null ? size : size - sets.size();
    }

    /** Returns whether there are sets. */
    public boolean hasSets() {
        return sets != null;
    }

    /** Returns whether a code is that of a set. */
    public boolean isSet(int code) {
        return sets != null && CodeSets.isKey(value(code));
    }

    /** Returns the codes of the strings of a set, sorted, in a new array. */
    public int[] members(int set) {
        return CodeSets.members(value(set));
    }

    /**
     * Returns the sorted codes that stand for a string: its own, and those of the sets that contain it; null if none does, and for code 0. The caller
     * must not change the array.
     */
    public int @Nullable [] covering(int code) {
        return sets == null ? null : sets.covering(code);
    }

    /**
     * Returns the codes of those texts that have one, and of the sets that contain one of them, without repetitions and in a new array. They are sorted if
     * they are more than {@value #MAX_UNSORTED}, or if there are sets.
     *
     * @param distinct different texts
     */
    public int[] codes(String... distinct) {
        if (sets != null) {
            return codesWithSets(sets, distinct);
        }
        int[] found = new int[distinct.length];
        int used = 0;
        for (String text : distinct) {
            int code = code(text);
            if (code != 0) {
                found[used++] = code;
            }
        }
        int[] codes = used == found.length ? found : Arrays.copyOf(found, used);
        if (used > MAX_UNSORTED) {
            Arrays.sort(codes);
        }
        return codes;
    }

    private int[] codesWithSets(CodeSets some, String... distinct) {
        BitSet found = new BitSet();
        for (String text : distinct) {
            int code = code(text);
            found.set(code);
            int[] all = some.covering(code);
            for (int i = 0; all != null && i < all.length; i++) {
                found.set(all[i]);
            }
        }
        found.clear(0); // of texts without a code
        return found.stream().toArray();
    }

    /** Returns the highest code that an entry has or had. */
    public int highest() {
        return highest;
    }

    /**
     * Returns the string of a code; for a set, its key.
     *
     * @throws IllegalArgumentException if no entry has the code
     */
    public String value(int code) {
        String text = text(code);
        if (text == null) {
            throw new IllegalArgumentException("no entry has the code: code=" + code + " highest=" + highest);
        }
        return text;
    }

    /** Returns whether an entry has a code, which is from 1 to {@link #highest}. */
    boolean has(int code) {
        return code <= highest && text(code) != null;
    }

    private @Nullable String text(int code) {
        return pages[code >>> PAGE_BITS][code & (PAGE - 1)];
    }

    /** Returns all strings in the order of their codes, without sets, in a new list. */
    public List<String> values() {
        return texts(text -> sets == null || !CodeSets.isKey(text));
    }

    /** Returns the sets in the order of their codes, each as the sorted codes of its strings, in a new list. */
    public List<int[]> sets() {
        return sets == null
                ? List.of()
                : texts(CodeSets::isKey).stream().map(CodeSets::members).toList();
    }

    private List<String> texts(Predicate<String> isWanted) {
        List<String> list = new ArrayList<>(size);
        for (int code = 1; code <= highest; code++) {
            String text = text(code);
            if (text != null && isWanted.test(text)) {
                list.add(text);
            }
        }
        return list;
    }

    /** Returns for each code its place, from 1, among the codes of strings and then of sets, and 0 for a code without an entry. */
    public int[] ranks() {
        int[] ranks = new int[highest + 1];
        int strings = 0;
        int behind = size();
        for (int code = 1; code <= highest; code++) {
            String text = text(code);
            if (text != null) {
                ranks[code] = sets != null && CodeSets.isKey(text) ? ++behind : ++strings;
            }
        }
        return ranks;
    }

    /** Returns the code of a string, or 0. */
    public int code(String value) {
        return sets != null && CodeSets.isKey(value) ? 0 : find(value);
    }

    /** Returns the code of a string, or of the set of a key, or 0. */
    int find(String value) {
        HashProbes places = samples;
        if (places == null) {
            return hashed == null ? 0 : hashed.code(value, this);
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
        HashProbes places = samples;
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
