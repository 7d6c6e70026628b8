package dev.touchstone.benchmarks.index.http;

/** The subjects of the benchmarks over HTTP, each a server and its routes, by the value of the parameter {@code subject}. */
public enum ServedSubject {
    OURS("all limits on", "/v1/search/bitmap/prices", "/v4/search/bitmap/bulk/prices"),
    OURS_V2("all limits on", "/v2/search", "/v2/search/bulk"),
    CEILING_CONSTANT("answers before it has looked", "/v1/search/bitmap/prices", "/v4/search/bitmap/bulk/prices");

    private final String level;
    private final String path;
    private final String bulkPath;

    ServedSubject(String level, String path, String bulkPath) {
        this.level = level;
        this.path = path;
        this.bulkPath = bulkPath;
    }

    /** Returns what the subject does, where that differs between subjects. */
    public String level() {
        return level;
    }

    /** Returns whether this is a physical limit. */
    public boolean ceiling() {
        return this == CEILING_CONSTANT;
    }

    /** Returns the route for one search, or for a list of them. */
    public String path(boolean isBulk) {
        return isBulk ? bulkPath : path;
    }
}
