package dev.touchstone.serialization.hazelcast.predicate;

import java.util.ArrayList;
import java.util.List;

/**
 * The way from a record to a value inside it: {@code a.b}, {@code items[any].name}, {@code items[0]}. Immutable.
 *
 * @param text the path as its user wrote it
 * @param steps one for each record on the way, at least one
 */
public record FieldPath(String text, List<Step> steps) {
    static final int MAX_STEPS = 64;

    private static final String ANY = "any";

    /** Index of a step that takes the field itself. */
    private static final int NO_ITEM = -1;

    /** Index of a step that takes each item of an array. */
    private static final int ANY_ITEM = -2;

    /**
     * A field of one record on the way.
     *
     * @param name the field
     * @param index of an item in an array, or one of the constants
     */
    record Step(String name, int index) {
        boolean isField() {
            return index == NO_ITEM;
        }

        boolean isAny() {
            return index == ANY_ITEM;
        }
    }

    /** Returns the path of a text. @throws IllegalArgumentException if it is malformed or has too many steps */
    public static FieldPath of(String text) {
        List<Step> steps = new ArrayList<>();
        int begin = 0;
        for (int end = text.indexOf('.'); end >= 0; end = text.indexOf('.', begin)) {
            steps.add(step(text, begin, end));
            begin = end + 1;
            if (steps.size() == MAX_STEPS) {
                throw new IllegalArgumentException("path has too many steps: path=" + text + " max=" + MAX_STEPS);
            }
        }
        steps.add(step(text, begin, text.length()));
        return new FieldPath(text, List.copyOf(steps));
    }

    private static Step step(String text, int begin, int end) {
        String step = text.substring(begin, end);
        int bracket = step.indexOf('[');
        String name = bracket < 0 ? step : step.substring(0, bracket);
        if (name.isEmpty() || name.indexOf(']') >= 0) {
            throw malformed(text, begin);
        }
        if (bracket < 0) {
            return new Step(name, NO_ITEM);
        }
        if (!step.endsWith("]")) {
            throw malformed(text, begin);
        }
        String item = step.substring(bracket + 1, step.length() - 1);
        return new Step(name, item.equals(ANY) ? ANY_ITEM : index(text, item, begin));
    }

    private static int index(String text, String item, int begin) {
        if (item.isEmpty() || item.length() > 10 || !item.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw malformed(text, begin);
        }
        long index = Long.parseLong(item);
        if (index > Integer.MAX_VALUE) {
            throw malformed(text, begin);
        }
        return (int) index;
    }

    private static IllegalArgumentException malformed(String text, int at) {
        return new IllegalArgumentException("path is malformed: path=" + text + " at=" + at
                + " expected=field, field[any] or field[<index>], separated by dots");
    }

    @Override
    public String toString() {
        return text;
    }
}
