package dev.touchstone.index.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The result of a command: named values, printed as lines or as one JSON document. Not thread-safe. */
final class CommandOutput {
    private static final JsonFactory FACTORY = new JsonFactory()
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);

    private final Map<String, Object> values = new LinkedHashMap<>();

    /** Adds a number, a string, a boolean or a list of strings. */
    CommandOutput with(String name, Object value) {
        values.put(name, value);
        return this;
    }

    void print(PrintWriter out, boolean isJson) throws IOException {
        if (isJson) {
            printJson(out);
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

    private void printJson(PrintWriter out) throws IOException {
        try (JsonGenerator json = FACTORY.createGenerator(out).setPrettyPrinter(new DefaultPrettyPrinter())) {
            json.writeStartObject();
            for (Map.Entry<String, Object> each : values.entrySet()) {
                json.writeFieldName(each.getKey());
                if (each.getValue() instanceof List<?> list) {
                    json.writeStartArray();
                    for (Object element : list) {
                        json.writeString(element.toString());
                    }
                    json.writeEndArray();
                } else {
                    json.writePOJO(each.getValue()); // numbers, strings and booleans need no mapper
                }
            }
            json.writeEndObject();
        }
        out.println();
    }
}
