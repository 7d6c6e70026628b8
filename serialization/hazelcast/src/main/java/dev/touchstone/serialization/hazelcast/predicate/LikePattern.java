package dev.touchstone.serialization.hazelcast.predicate;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A pattern as SQL's LIKE has it: {@code %} stands for any text, {@code _} for one character, and a backslash before either for the character
 * itself. Matching takes at most the product of both lengths, whatever the pattern is. Immutable.
 */
public final class LikePattern {
    private static final int ANY_TEXT = -1;
    private static final int ANY_CHARACTER = -2;

    private final int[] points;
    private final boolean ignoresCase;

    LikePattern(String pattern, boolean ignoresCase) {
        this.ignoresCase = ignoresCase;
        int[] read = pattern.codePoints().toArray();
        int count = 0;
        for (int i = 0; i < read.length; i++) {
            int point = read[i];
            boolean isEscape = point == '\\' && i + 1 < read.length && (read[i + 1] == '%' || read[i + 1] == '_');
            if (isEscape) {
                read[count++] = folded(read[++i]);
            } else {
                read[count++] = point == '%' ? ANY_TEXT : point == '_' ? ANY_CHARACTER : folded(point);
            }
        }
        points = Arrays.copyOf(read, count);
    }

    /** Returns whether a whole text matches. */
    boolean matches(String text) {
        int at = 0;
        int next = 0; // in the pattern
        int retryAt = -1; // behind the last %, the text that it has not taken yet
        int retryNext = -1;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            if (next < points.length && points[next] == ANY_TEXT) {
                retryAt = at;
                retryNext = ++next;
            } else if (next < points.length && (points[next] == ANY_CHARACTER || points[next] == folded(point))) {
                next++;
                at += Character.charCount(point);
            } else if (retryAt >= 0) {
                retryAt += Character.charCount(text.codePointAt(retryAt));
                at = retryAt;
                next = retryNext;
            } else {
                return false;
            }
        }
        while (next < points.length && points[next] == ANY_TEXT) {
            next++;
        }
        return next == points.length;
    }

    private int folded(int point) {
        return ignoresCase ? Character.toLowerCase(Character.toUpperCase(point)) : point;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LikePattern pattern
                && ignoresCase == pattern.ignoresCase
                && Arrays.equals(points, pattern.points);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(points);
    }
}
