package dev.touchstone.index.server.api;

/** Content types of answers. */
public enum ContentType {
    /** A JSON document. */
    JSON("application/json"),
    /** JSON Lines: one JSON document on each line. */
    JSON_LINES("application/x-ndjson"),
    /** Plain text in UTF-8. */
    TEXT("text/plain; charset=utf-8"),
    /** The text format of Prometheus. */
    METRICS("text/plain; version=0.0.4; charset=utf-8"),
    /** An HTML page in UTF-8. */
    HTML("text/html; charset=utf-8");

    private final String header;

    ContentType(String header) {
        this.header = header;
    }

    /**
     * Returns the value of the header {@code Content-Type}.
     *
     * @return value of the header
     */
    public String header() {
        return header;
    }
}
