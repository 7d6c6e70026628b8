package dev.touchstone.index.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.InvalidValueException;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Methods that read parts of a JSON tree, and name the path of a part that is not as expected. */
final class Shape {
    private Shape() {}

    /** Checks that a node is an object without unknown names. */
    static void object(JsonNode node, String path, Set<String> known) throws RequestException {
        if (!node.isObject()) {
            throw bad(path, "an object is expected");
        }
        for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!known.contains(name)) {
                throw bad(
                        path.isEmpty() ? shown(name) : path + "." + shown(name),
                        "no such name; known are " + sorted(known));
            }
        }
    }

    private static String sorted(Set<String> names) {
        return String.join(", ", names.stream().sorted().toList());
    }

    static String shown(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "...";
    }

    static RequestException bad(String path, String reason) {
        return new RequestException(RequestException.BAD, (path.isEmpty() ? "" : path + ": ") + reason);
    }

    static RequestException unfit(String path, String reason) {
        return new RequestException(RequestException.UNFIT, path + ": " + reason);
    }

    /** Returns a string of an object, or null if the object does not have it. */
    static @Nullable String text(JsonNode object, String name, String path) throws RequestException {
        JsonNode node = object.get(name);
        if (node == null || node.isNull()) {
            return null;
        }
        if (!node.isTextual()) {
            throw bad(path(path, name), "a string is expected");
        }
        return node.textValue();
    }

    /** Returns a string that an object must have. */
    static String needed(JsonNode object, String name, String path) throws RequestException {
        String text = text(object, name, path);
        if (text == null) {
            throw bad(path(path, name), "is missing");
        }
        return text;
    }

    static String path(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** Returns the value of a node, which must be one that a condition of a field can have. */
    static Object value(@Nullable JsonNode node, Field field, String path) throws RequestException {
        if (node == null) {
            throw bad(path, "is missing");
        }
        boolean isNumeric = field.type() == FieldType.INTEGER || field.type() == FieldType.DECIMAL;
        if (!node.isTextual() && !(isNumeric && node.isNumber())) {
            throw unfit(path, "not a value of the field's type: field=" + field.name() + " type=" + field.type());
        }
        try {
            return field.type().parse(node.isTextual() ? node.textValue() : node.asText());
        } catch (InvalidValueException e) {
            throw unfit(path, String.valueOf(e.getMessage()));
        }
    }
}
