package dev.touchstone.builds.web;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request that is refused, which is answered as RFC 9457 describes. Immutable. */
final class Problem extends Exception {
    /** The media type of the answer. */
    static final String TYPE = "application/problem+json";

    private static final long serialVersionUID = 1;
    private static final int MAX_VALUE = 80;
    private static final Map<Integer, String> TITLES = Map.ofEntries(
            Map.entry(400, "Bad Request"),
            Map.entry(401, "Unauthorized"),
            Map.entry(403, "Forbidden"),
            Map.entry(404, "Not Found"),
            Map.entry(405, "Method Not Allowed"),
            Map.entry(409, "Conflict"),
            Map.entry(413, "Content Too Large"),
            Map.entry(415, "Unsupported Media Type"),
            Map.entry(422, "Unprocessable Content"),
            Map.entry(429, "Too Many Requests"),
            Map.entry(503, "Service Unavailable"));

    /** Part of a request that a problem can be in. */
    enum Place {
        PATH,
        QUERY,
        HEADER,
        BODY
    }

    private final int status;
    private final @Nullable Place place;
    private final @Nullable String field;
    private final @Nullable String value;

    private Problem(int status, String detail, @Nullable Place place, @Nullable String field, @Nullable String value) {
        super(detail, null, false, false);
        this.status = status;
        this.place = place;
        this.field = field;
        this.value = value;
    }

    /**
     * Creates a problem of the request as a whole.
     *
     * @param status HTTP status
     * @param detail what is wrong, and what was expected; no secrets
     */
    static Problem of(int status, String detail) {
        return new Problem(status, detail, null, null, null);
    }

    /** Creates a problem of one field of a request, whose value must not be repeated or is missing. */
    static Problem of(int status, String detail, Place place, String field) {
        return new Problem(status, detail, place, shown(field), null);
    }

    /** Creates a problem of one field of a request. */
    static Problem of(int status, String detail, Place place, String field, @Nullable String value) {
        return new Problem(status, detail, place, shown(field), shown(value));
    }

    int status() {
        return status;
    }

    /** Returns the fields of the answer. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", "about:blank");
        json.put("title", TITLES.getOrDefault(status, "Error"));
        json.put("status", status);
        json.put("detail", String.valueOf(getMessage()));
        if (place != null) {
            json.put("place", place.name().toLowerCase(java.util.Locale.ROOT));
        }
        if (field != null) {
            json.put("field", field);
        }
        if (value != null) {
            json.put("value", value);
        }
        return json;
    }

    /** Returns a text with a mark in place of what is no printable ASCII, a line's end above all. */
    static String printable(String text) {
        return text.replaceAll("[^\\x20-\\x7e]", "?");
    }

    /** Returns a text of a stranger, fit for a message. */
    static String shown(@Nullable String text) {
        String some = text == null ? "none" : printable(text);
        return some.length() > MAX_VALUE ? some.substring(0, MAX_VALUE) + "..." : some;
    }
}
