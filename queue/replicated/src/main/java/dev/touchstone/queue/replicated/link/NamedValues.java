package dev.touchstone.queue.replicated.link;

import java.util.HashMap;
import java.util.Map;

/** The text of an answer in which a member tells several values: a line {@code name=value} for each. */
final class NamedValues {
    private NamedValues() {}

    /** Returns the values by their names; lines without a name are passed over, as a newer member may send what this one does not know. */
    static Map<String, String> read(String text) {
        Map<String, String> values = new HashMap<>();
        text.lines().forEach(line -> {
            int sign = line.indexOf('=');
            if (sign > 0) {
                values.put(line.substring(0, sign), line.substring(sign + 1));
            }
        });
        return values;
    }
}
