package dev.touchstone.harness.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Words that were probably meant by a mistyped one. */
final class Similar {
    private Similar() {}

    /** The candidate fewest edits away, if those are no more than a third of the word and one. */
    static Optional<String> to(String word, Collection<String> candidates) {
        return candidates.stream()
                .min(Comparator.comparingInt(candidate -> edits(word, candidate)))
                .filter(candidate -> edits(word, candidate) <= word.length() / 3 + 1);
    }

    /** Least number of letters to insert, delete or replace. */
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
