package dev.touchstone.index.table;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a {@link Dictionary} that stand for several of its strings: for each string, the sets that contain it. Immutable and thread-safe.
 *
 * <p>A set is an entry with a code of its own, whose text is a key made of the codes of its strings. A key begins with half of a character, which no
 * string of a dictionary does, so that keys and strings cannot be confused. The strings of a set stay in the dictionary as long as the set does.
 */
final class CodeSets {
    private static final char MARK = '\uDC00';
    private static final int PAGE_BITS = 8;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final CodeSets EMPTY = new CodeSets(new int[0][][], 0);

    private final int[] @Nullable [] @Nullable []
            pages; // by code of a string: sorted, its code and those of the sets that contain it
    private final int size;

    private CodeSets(int[] @Nullable [] @Nullable [] pages, int size) {
        this.pages = pages;
        this.size = size;
    }

    /** Returns the key of the set of some codes, which are sorted and distinct. */
    static String key(int[] members) {
        char[] key = new char[1 + 2 * members.length];
        key[0] = MARK;
        for (int i = 0; i < members.length; i++) {
            key[2 * i + 1] = (char) (members[i] >>> Character.SIZE);
            key[2 * i + 2] = (char) members[i];
        }
        return new String(key);
    }

    /** Returns whether a text is the key of a set. */
    static boolean isKey(String text) {
        return !text.isEmpty() && text.charAt(0) == MARK;
    }

    /** Returns the sorted codes of the set of a key. */
    static int[] members(String key) {
        int[] members = new int[key.length() / 2];
        for (int i = 0; i < members.length; i++) {
            members[i] = key.charAt(2 * i + 1) << Character.SIZE | key.charAt(2 * i + 2);
        }
        return members;
    }

    /** Returns the number of sets. */
    int size() {
        return size;
    }

    /** Returns the sorted codes of a string and of the sets that contain it; null if none does. The caller must not change the array. */
    int @Nullable [] covering(int code) {
        int page = code >>> PAGE_BITS;
        int @Nullable [] @Nullable [] known = page < pages.length ? pages[page] : null;
        return known == null ? null : known[code & (PAGE - 1)];
    }

    /**
     * Returns the sets of the next dictionary, or null if there are none.
     *
     * @param base sets of the dictionary before, or null
     * @param removed codes of entries that are removed, with their texts; those of strings are ignored
     * @param added codes of new entries, likewise
     */
    static @Nullable CodeSets next(
            @Nullable CodeSets base, int[] removed, List<String> removedTexts, int[] added, List<String> addedTexts) {
        long count = memberships(removedTexts) + memberships(addedTexts);
        if (count == 0) {
            return base;
        }
        long[] changes = new long[Math.toIntExact(count)];
        int used = changes(removed, removedTexts, 0, changes, 0);
        int unused = changes(added, addedTexts, 1, changes, used);
        Arrays.sort(changes);
        CodeSets before = base == null ? EMPTY : base;
        long growth = addedTexts.stream().filter(CodeSets::isKey).count()
                - removedTexts.stream().filter(CodeSets::isKey).count();
        int size = Math.toIntExact(before.size + growth);
        return size == 0 ? null : new CodeSets(before.with(changes), size);
    }

    private static long memberships(List<String> texts) {
        return texts.stream()
                .filter(CodeSets::isKey)
                .mapToLong(key -> key.length() / 2)
                .sum();
    }

    /** Appends a change for each string of each set: its code, the code of the set, and a bit that tells whether the set is new. */
    private static int changes(int[] codes, List<String> texts, int bit, long[] into, int from) {
        int used = from;
        for (int i = 0; i < codes.length; i++) {
            if (isKey(texts.get(i))) {
                for (int member : members(texts.get(i))) {
                    into[used++] = (long) member << Integer.SIZE | (long) codes[i] << 1 | bit;
                }
            }
        }
        return used;
    }

    private int[] @Nullable [] @Nullable [] with(long[] changes) {
        int highest = (int) (changes[changes.length - 1] >>> Integer.SIZE);
        int[] @Nullable [] @Nullable [] next =
                Arrays.copyOf(pages, Math.max(pages.length, (highest >>> PAGE_BITS) + 1));
        int own = -1; // page that was copied last; the changes are in the order of pages
        int[] @Nullable [] copy = new int[0][];
        for (int from = 0, to = 0; from < changes.length; from = to) {
            int member = (int) (changes[from] >>> Integer.SIZE);
            while (to < changes.length && changes[to] >>> Integer.SIZE == member) {
                to++;
            }
            int page = member >>> PAGE_BITS;
            if (page != own) {
                int @Nullable [] @Nullable [] known = next[page];
                copy = known == null ? new int[PAGE][] : known.clone();
                next[page] = copy;
                own = page;
            }
            int @Nullable [] before = copy[member & (PAGE - 1)];
            int[] merged = merged(before == null ? new int[] {member} : before, changes, from, to);
            copy[member & (PAGE - 1)] = merged.length > 1 ? merged : null;
        }
        return next;
    }

    /** Returns sorted codes with those that changes add, and without those that changes remove. */
    private static int[] merged(int[] before, long[] changes, int from, int to) {
        int[] merged = new int[before.length + to - from];
        int used = 0;
        int at = 0;
        for (int i = from; i < to; i++) {
            int set = (int) changes[i] >>> 1;
            while (at < before.length && before[at] < set) {
                merged[used++] = before[at++];
            }
            if ((changes[i] & 1) != 0) {
                merged[used++] = set;
            } else {
                at++;
            }
        }
        System.arraycopy(before, at, merged, used, before.length - at);
        return Arrays.copyOf(merged, used + before.length - at);
    }
}
