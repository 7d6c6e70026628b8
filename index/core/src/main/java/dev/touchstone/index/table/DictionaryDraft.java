package dev.touchstone.index.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A dictionary while strings are added to it. Not thread-safe. */
public final class DictionaryDraft {
    private final Dictionary base;
    private final Map<String, Integer> added = new HashMap<>();
    private final List<String> inOrder = new ArrayList<>();

    /** A draft that has the strings of a dictionary, under the same codes. */
    public DictionaryDraft(Dictionary base) {
        this.base = base;
    }

    /** The code of a string, which is added if it is new. */
    public int code(String value) {
        int known = base.code(value);
        if (known != 0) {
            return known;
        }
        Integer code = added.get(value);
        if (code == null) {
            code = base.size() + added.size() + 1;
            added.put(value, code);
            inOrder.add(value);
        }
        return code;
    }

    /** How many strings there are; the highest code. */
    public int size() {
        return base.size() + inOrder.size();
    }

    public Dictionary build() {
        return base.plus(inOrder);
    }
}
