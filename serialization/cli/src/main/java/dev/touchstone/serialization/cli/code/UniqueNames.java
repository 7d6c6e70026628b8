package dev.touchstone.serialization.cli.code;

import java.util.HashSet;
import java.util.Set;

/** Names of one scope, none of which stands twice or is reserved. Not thread-safe. */
final class UniqueNames {
    private final Set<String> reserved;
    private final Set<String> taken = new HashSet<>();

    UniqueNames(Set<String> reserved) {
        this.reserved = reserved;
    }

    /** Returns a name; with an underscore behind it if it is reserved, and with a number if it was taken before. */
    String take(String wanted) {
        String name = reserved.contains(wanted) ? wanted + "_" : wanted;
        String unique = name;
        for (int number = 2; reserved.contains(unique) || !taken.add(unique); number++) {
            unique = name + "_" + number;
        }
        return unique;
    }
}
