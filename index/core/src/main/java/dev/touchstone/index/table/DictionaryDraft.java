package dev.touchstone.index.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The next dictionary while strings and sets are added to it and their uses are counted. Those that have no use in the end are not in it. Not
 * thread-safe.
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
    private boolean isCounting; // whether the uses of the strings by the sets of the base are not counted yet
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
        return CodeSets.isKey(value) ? 0 : find(value);
    }

    private int find(String text) {
        int known = base.find(text);
        return known != 0 ? known : added.getOrDefault(text, 0);
    }

    /** Returns the code of a string, which is added if it is new. It is removed again when the dictionary is built, unless it has a use then. */
    public int code(String value) {
        int code = known(value);
        return code != 0 ? code : add(value);
    }

    /**
     * Returns the code of the set of some strings, which is added if it is new. It is removed like a string without a use; a set that is used is a use
     * of its strings.
     *
     * @param members distinct codes of the strings, which are sorted by this method
     */
    public int codeOfSet(int... members) {
        Arrays.sort(members);
        String key = CodeSets.key(members);
        int code = find(key);
        return code != 0 ? code : add(key);
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
        isCounting = true;
        for (int code = 1; code <= base.highest(); code++) {
            if (base.has(code)) {
                use(code, 0);
            }
        }
    }

    /** Returns the dictionary; the same one as before if it has the same strings. The draft must not be changed any more. */
    public Dictionary build() {
        useMembers();
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

    /** Counts the uses of strings by sets that are new, and removes those by sets that have no use any more. */
    private void useMembers() {
        for (int i = 0; i < inOrder.size(); i++) {
            if (CodeSets.isKey(inOrder.get(i)) && counts.isUsed(codes[i])) {
                useMembers(inOrder.get(i), 1);
            }
        }
        if (base.hasSets()) {
            Arrays.stream(unused, 0, unusedCount) // a copy of the codes, to which strings are added meanwhile
                    .sorted()
                    .distinct()
                    .filter(code -> base.has(code) && base.isSet(code) && counts.isUsed(code) == isCounting)
                    .forEach(set -> useMembers(base.value(set), isCounting ? 1 : -1));
        }
    }

    private void useMembers(String key, int change) {
        for (int member : CodeSets.members(key)) {
            use(member, change);
        }
    }

    /** Returns the codes of the entries of the base that have no use any more, and frees them. */
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
