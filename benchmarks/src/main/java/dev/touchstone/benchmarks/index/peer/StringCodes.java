package dev.touchstone.benchmarks.index.peer;

import java.util.Arrays;
import java.util.Map;

/**
 * A hash table from strings to codes, in open addressing, at most a quarter full.
 *
 * <p>Strings are hashed each time, as those of a request that was just received must be. A {@link java.util.HashMap} would not do that: a string keeps
 * its hash, and that of each request would be known from the second round on.
 */
public final class StringCodes {
    private final String[] texts;
    private final int[] codes;

    /** Creates a table of codes above 0. */
    public StringCodes(Map<String, Integer> all) {
        texts = new String[Integer.highestOneBit(all.size() + 1) * 8];
        codes = new int[texts.length];
        Arrays.fill(texts, "");
        all.forEach((text, code) -> {
            int at = place(text);
            texts[at] = text;
            codes[at] = code;
        });
    }

    /** Returns the code of a string, or 0 if the table does not have the string. */
    public int code(String text) {
        return codes[place(text)];
    }

    private int place(String text) {
        int hash = 0;
        for (int i = 0; i < text.length(); i++) {
            hash = hash * 31 + text.charAt(i);
        }
        int at = (hash ^ (hash >>> 16)) & (texts.length - 1);
        while (!texts[at].isEmpty() && !texts[at].equals(text)) {
            at = (at + 1) & (texts.length - 1);
        }
        return at;
    }
}
