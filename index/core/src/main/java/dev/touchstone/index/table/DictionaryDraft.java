package dev.touchstone.index.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The next dictionary while strings are added to it and their uses are counted. Strings that have no use in the end are not in it. Not thread-safe.
 *
 * <p>Invariant: a code that becomes free is given to another string by a later draft only, so that whoever holds the dictionaries of one version never
 * sees two strings of one code.
 */
public final class DictionaryDraft {
    private final Dictionary base;
    private final RefCounts.Draft counts;
    private final boolean isReusing;
    private final Map<String, Integer> added = new HashMap<>();
    private final List<String> inOrder = new ArrayList<>();
    private int[] codes = new int[4]; // of the strings of `inOrder`
    private int[] unused = new int[4]; // codes whose last use was removed; some may be there twice, or in use again
    private int unusedCount;
    private int highest;
    private @Nullable RefCounts built;

    /**
     * Creates a draft that has the strings of a dictionary under the same codes.
     *
     * @param counts numbers of uses of the strings
     * @param isReusing whether new strings get the codes of removed strings, and not only codes behind all others
     */
    public DictionaryDraft(Dictionary base, RefCounts counts, boolean isReusing) {
        this.base = base;
        this.counts = new RefCounts.Draft(counts);
        this.isReusing = isReusing;
        highest = base.highest();
    }

    /** Returns the code of a string, or 0. */
    public int known(String value) {
        int known = base.code(value);
        return known != 0 ? known : added.getOrDefault(value, 0);
    }

    /** Returns the code of a string, which is added if it is new. It is removed again when the dictionary is built, unless it has a use then. */
    public int code(String value) {
        int code = known(value);
        return code != 0 ? code : add(value);
    }

    private int add(String value) {
        int code = isReusing ? counts.take() : 0;
        code = code != 0 ? code : highest + 1;
        highest = Math.max(highest, code);
        codes = inOrder.size() == codes.length ? Arrays.copyOf(codes, codes.length * 2) : codes;
        codes[inOrder.size()] = code;
        inOrder.add(value);
        added.put(value, code);
        return code;
    }

    /** Returns the number of strings that are in the dictionary or were added. */
    public int size() {
        return base.size() + inOrder.size();
    }

    /** Adds to the number of uses of a code; a negative number removes uses. */
    public void use(int code, int uses) {
        if (counts.add(code, uses) == 0) {
            unused = unusedCount == unused.length ? Arrays.copyOf(unused, unusedCount * 2) : unused;
            unused[unusedCount++] = code;
        }
    }

    /** Marks the strings of all codes for removal, unless they have a use when the dictionary is built; for a dictionary without counts. */
    public void requireUses() {
        for (int code = 1; code <= base.highest(); code++) {
            if (base.has(code)) {
                use(code, 0);
            }
        }
    }

    /** Returns the dictionary; the same one as before if it has the same strings. The draft must not be changed any more. */
    public Dictionary build() {
        List<String> texts = new ArrayList<>(inOrder.size());
        int[] kept = new int[inOrder.size()];
        for (int i = 0; i < inOrder.size(); i++) {
            if (counts.isUsed(codes[i])) {
                kept[texts.size()] = codes[i];
                texts.add(inOrder.get(i));
            } else {
                free(codes[i]);
            }
        }
        int[] removed = removed();
        built = counts.build();
        return texts.isEmpty() && removed.length == 0
                ? base
                : new Dictionary(base, removed, texts, Arrays.copyOf(kept, texts.size()));
    }

    /** Returns the codes of the strings of the base that have no use any more, and frees them. */
    private int[] removed() {
        Arrays.sort(unused, 0, unusedCount);
        int[] removed = new int[unusedCount];
        int count = 0;
        for (int i = 0; i < unusedCount; i++) {
            int code = unused[i];
            boolean isNext = i == 0 || unused[i - 1] != code;
            if (isNext && !counts.isUsed(code) && base.has(code)) {
                removed[count++] = code;
                free(code);
            }
        }
        return Arrays.copyOf(removed, count);
    }

    private void free(int code) {
        if (isReusing) {
            counts.free(code);
        }
    }

    /** Returns the numbers of uses of the dictionary that was built. */
    public RefCounts counts() {
        if (built == null) {
            throw new IllegalStateException("dictionary is not built yet: strings=" + size());
        }
        return built;
    }
}
