package dev.touchstone.index.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A dictionary to which strings are being added. Not thread-safe. */
public final class DictionaryDraft {
    private final Dictionary base;
    private final Map<String, Integer> added = new HashMap<>();
    private final List<String> inOrder = new ArrayList<>();

    /** Creates a draft that has the strings of a dictionary under the same codes. */
    public DictionaryDraft(Dictionary base) {
        this.base = base;
    }

    /** Returns the code of a string, which is added if it is new. */
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

    /** Returns the number of strings, which is the highest code. */
    public int size() {
        return base.size() + inOrder.size();
    }

    /** Returns the dictionary; the same one as before if no string was added. */
    public Dictionary build() {
        return base.plus(inOrder);
    }
}
