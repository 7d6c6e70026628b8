package dev.touchstone.index.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The result of a command: named values, printed as lines or as one JSON document. Not thread-safe. */
final class CommandOutput {
    private final Map<String, Object> values = new LinkedHashMap<>();

    /** Adds a number, a string, a boolean or a list of strings. */
    CommandOutput with(String name, Object value) {
        values.put(name, value);
        return this;
    }

    void print(PrintWriter out, boolean isJson) throws IOException {
        if (isJson) {
            ObjectMapper mapper = new ObjectMapper();
            out.println(mapper.writerWithDefaultPrettyPrinter().writeValueAsString(values));
            return;
        }
        values.forEach((name, value) -> {
            if (value instanceof List<?> list) {
                list.forEach(each -> out.println(name + ": " + each));
            } else {
                out.println(name + ": " + value);
            }
        });
    }
}
