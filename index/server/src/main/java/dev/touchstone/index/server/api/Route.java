package dev.touchstone.index.server.api;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All that the service answers: a method and a path each. */
public enum Route {
    V1_BITMAP("POST", "/v1/search/bitmap/prices", Kind.QUICK),
    V1_MAP("POST", "/v1/search/map/prices", Kind.LONG),
    V2_BITMAP_BULK("POST", "/v2/search/bitmap/bulk/prices", Kind.BULK),
    V4_BITMAP_BULK("POST", "/v4/search/bitmap/bulk/prices", Kind.BULK),
    V4_MAP_BULK("POST", "/v4/search/map/bulk/prices", Kind.BULK),
    V5_BITMAP_BULK("POST", "/v5/search/bitmap/bulk/prices", Kind.BULK),
    SEARCH("POST", "/v2/search", Kind.QUICK),
    SEARCH_BULK("POST", "/v2/search/bulk", Kind.BULK),
    EXPLAIN("POST", "/v2/explain", Kind.LONG),
    UPDATE("POST", "/v2/prices", Kind.BULK),
    INDEX("GET", "/v2/index", Kind.LONG),
    HEALTH("GET", "/health", Kind.QUICK),
    READY("GET", "/ready", Kind.QUICK),
    METRICS("GET", "/metrics", Kind.LONG),
    OPEN_API("GET", "/openapi.json", Kind.QUICK),
    PAGE("GET", "/", Kind.QUICK);

    private static final Map<String, Route> BY_PATH = new HashMap<>();

    static {
        for (Route route : values()) {
            BY_PATH.put(route.path, route);
        }
    }

    /** How much work a request can be. */
    private enum Kind {
        QUICK,
        LONG,
        BULK
    }

    private final String method;
    private final String path;
    private final Kind kind;

    Route(String method, String path, Kind kind) {
        this.method = method;
        this.path = path;
        this.kind = kind;
    }

    /** The route of a path without a query, or null. */
    public static @Nullable Route of(String path) {
        return BY_PATH.get(path);
    }

    public String method() {
        return method;
    }

    public String path() {
        return path;
    }

    /** Whether an answer may take so long that other requests of the same thread should not wait for it. */
    public boolean isLong() {
        return kind != Kind.QUICK;
    }

    /** Whether the body may be as large as {@link Limits#bulkBodyBytes}. */
    public boolean isBulk() {
        return kind == Kind.BULK;
    }

    /** Whether requests change something, so that they must say that they are JSON: a foreign page in a browser cannot without asking. */
    public boolean isChange() {
        return this == UPDATE;
    }

    /** Whether the answer goes out in chunks. */
    public boolean isChunked() {
        return this == V5_BITMAP_BULK;
    }
}
