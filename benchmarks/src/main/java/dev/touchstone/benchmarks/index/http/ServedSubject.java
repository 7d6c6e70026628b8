package dev.touchstone.benchmarks.index.http;

/** What answers over HTTP: a server and its route. By the value of the parameter {@code subject}. */
public enum ServedSubject {
    OURS("all limits on", "bitmap"),
    MAP("every operator", "map"),
    CEILING_CONSTANT("answers before it has looked", "bitmap");

    private final String level;
    private final String engine;

    ServedSubject(String level, String engine) {
        this.level = level;
        this.engine = engine;
    }

    /** What the subject does, where that differs between subjects. */
    public String level() {
        return level;
    }

    /** Whether this is a physical limit. */
    public boolean ceiling() {
        return this == CEILING_CONSTANT;
    }

    /** The route for one search, or for a list of them. */
    public String path(boolean isBulk) {
        return isBulk ? "/v4/search/" + engine + "/bulk/prices" : "/v1/search/" + engine + "/prices";
    }
}
