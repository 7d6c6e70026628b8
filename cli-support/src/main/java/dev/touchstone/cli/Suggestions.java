package dev.touchstone.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the word that a mistyped one probably stands for. */
public final class Suggestions {
    private Suggestions() {}

    /**
     * Returns the candidate that takes the fewest edits to reach, if at most a third of the letters, plus one, differ.
     *
     * @param word the mistyped word; not null
     * @param candidates the words that are valid here; not null, may be empty
     * @return the nearest candidate, or empty if none is near
     */
    public static Optional<String> nearest(String word, Collection<String> candidates) {
        return candidates.stream()
                .min(Comparator.comparingInt(candidate -> edits(word, candidate)))
                .filter(candidate -> edits(word, candidate) <= word.length() / 3 + 1);
    }

    /** Returns the least number of letters to insert, delete or replace (Levenshtein distance). */
    static int edits(String from, String to) {
        int[] previous = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] current = new int[to.length() + 1];
            current[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replace = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replace, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[to.length()];
    }
}
