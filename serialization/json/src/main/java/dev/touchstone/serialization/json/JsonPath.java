package dev.touchstone.serialization.json;

import java.util.ArrayList;
import java.util.List;

/** The way from the outermost record to the value that is read or written. Not thread-safe. */
final class JsonPath {
    private static final String ROOT = "$";

    private final List<Object> steps = new ArrayList<>();

    /** Goes to a field of the record. */
    void enter(String field) {
        steps.add(field);
    }

    /** Goes to an item of the array. */
    void enter(int index) {
        steps.add(index);
    }

    /** Goes back by one step. */
    void leave() {
        steps.remove(steps.size() - 1);
    }

    void clear() {
        steps.clear();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(ROOT);
        for (Object step : steps) {
            if (step instanceof Integer index) {
                text.append('[').append(index).append(']');
            } else if (isPlain(step.toString())) {
                text.append('.').append(step);
            } else {
                text.append('[').append(Quoted.of(step.toString())).append(']');
            }
        }
        return text.toString();
    }

    private static boolean isPlain(String name) {
        return !name.isEmpty() && name.chars().allMatch(Character::isJavaIdentifierPart);
    }
}
