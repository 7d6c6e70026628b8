package dev.touchstone.index.server.api;

/** What the bytes of an answer are. */
public enum ContentType {
    JSON("application/json"),
    JSON_LINES("application/x-ndjson"),
    TEXT("text/plain; charset=utf-8"),
    METRICS("text/plain; version=0.0.4; charset=utf-8"),
    HTML("text/html; charset=utf-8");

    private final String header;

    ContentType(String header) {
        this.header = header;
    }

    /** As the header Content-Type has it. */
    public String header() {
        return header;
    }
}
