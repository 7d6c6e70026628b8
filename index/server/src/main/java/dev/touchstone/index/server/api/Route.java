package dev.touchstone.index.server.api;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The routes of the service, each with a method and a path. */
public enum Route {
    /** A single search of version 1. */
    V1_BITMAP("POST", "/v1/search/bitmap/prices", Kind.QUICK, Pool.SEARCH, Role.SEARCH),
    /** A single search of version 1, at the path that the original server answered by a scan. */
    V1_MAP("POST", "/v1/search/map/prices", Kind.QUICK, Pool.SEARCH, Role.SEARCH),
    /** A list of searches of version 1, at the path of version 2. */
    V2_BITMAP_BULK("POST", "/v2/search/bitmap/bulk/prices", Kind.BULK, Pool.SEARCH, Role.SEARCH),
    /** A list of searches of version 1, at the path of version 4. */
    V4_BITMAP_BULK("POST", "/v4/search/bitmap/bulk/prices", Kind.BULK, Pool.SEARCH, Role.SEARCH),
    /** A list of searches of version 1, at the path of version 4 that the original server answered by a scan. */
    V4_MAP_BULK("POST", "/v4/search/map/bulk/prices", Kind.BULK, Pool.SEARCH, Role.SEARCH),
    /** Searches of version 1, one on each line, at the path of version 5. */
    V5_BITMAP_BULK("POST", "/v5/search/bitmap/bulk/prices", Kind.BULK, Pool.SEARCH, Role.SEARCH),
    /** A single search in the full query language. */
    SEARCH("POST", "/v2/search", Kind.QUICK, Pool.SEARCH, Role.SEARCH),
    /** A list of searches in the full query language. */
    SEARCH_BULK("POST", "/v2/search/bulk", Kind.BULK, Pool.SEARCH, Role.SEARCH),
    /** A list of the prices that match one query, one on each line. */
    SEARCH_ALL("POST", "/v2/search/all", Kind.LONG, Pool.SEARCH, Role.SEARCH),
    /** A page of the prices that match one query, in a stated order. */
    SEARCH_PAGE("POST", "/v2/search/page", Kind.LONG, Pool.SEARCH, Role.SEARCH),
    /** A count of the matches of one query, in total and by the values of some fields. */
    COUNT("POST", "/v2/count", Kind.LONG, Pool.SEARCH, Role.SEARCH),
    /** An explanation of one search. */
    EXPLAIN("POST", "/v2/explain", Kind.LONG, Pool.EXPLAIN, Role.SEARCH),
    /** Explanations of a list of searches. */
    EXPLAIN_BULK("POST", "/v2/explain/bulk", Kind.BULK, Pool.EXPLAIN, Role.SEARCH),
    /** A batch of changes of prices. */
    UPDATE("POST", "/v2/prices", Kind.BULK, Pool.UPDATE, Role.UPDATE),
    /** A price, by the offering and the id at the end of the path, which are percent-encoded. */
    PRICE("GET", "/v2/prices/{offering}/{id}", Kind.LONG, Pool.SEARCH, Role.SEARCH),
    /** A description of the index. */
    INDEX("GET", "/v2/index", Kind.LONG, Pool.MANAGEMENT, Role.SEARCH),
    /** A check that the process is alive. */
    HEALTH("GET", "/health", Kind.QUICK, Pool.MANAGEMENT, Role.ANYONE),
    /** A check whether new requests should come. */
    READY("GET", "/ready", Kind.QUICK, Pool.MANAGEMENT, Role.ANYONE),
    /** The metrics of the service for Prometheus. */
    METRICS("GET", "/metrics", Kind.LONG, Pool.MANAGEMENT, Role.ADMIN),
    /** The OpenAPI description of the routes. */
    OPEN_API("GET", "/openapi.json", Kind.QUICK, Pool.MANAGEMENT, Role.ANYONE),
    /** A page to try searches in a browser. */
    PAGE("GET", "/", Kind.QUICK, Pool.MANAGEMENT, Role.ANYONE);

    /** Executors that answer requests of routes that may take long, each with threads and a queue of its own. */
    public enum Pool {
        /** Searches. */
        SEARCH,
        /** Explanations, which may look at each price. */
        EXPLAIN,
        /** Changes of prices, which follow one another. */
        UPDATE,
        /** Metrics and descriptions, for those who run the service. */
        MANAGEMENT;

        /**
         * Returns the name of the pool in metrics and in the names of its threads.
         *
         * @return name in lower case
         */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Roles that a client needs where a service has tokens. */
    public enum Role {
        /** No role: requests need no token. */
        ANYONE,
        /** Search, explain, and see the fields of the index. */
        SEARCH,
        /** Change prices. */
        UPDATE,
        /** See the metrics, and all that the other roles may. */
        ADMIN
    }

    private static final Map<String, Route> BY_PATH = new HashMap<>();

    static {
        for (Route route : values()) {
            BY_PATH.put(route.path, route);
        }
    }

    /** Kinds of routes by the work of a request. */
    private enum Kind {
        QUICK,
        LONG,
        BULK
    }

    private final String method;
    private final String path;
    private final Kind kind;
    private final Pool pool;
    private final Role role;
    private final int fixed; // length of the path in front of its parameters

    Route(String method, String path, Kind kind, Pool pool, Role role) {
        this.method = method;
        this.path = path;
        this.kind = kind;
        this.pool = pool;
        this.role = role;
        int brace = path.indexOf('{');
        fixed = brace < 0 ? path.length() : brace;
    }

    /**
     * Returns the route of a path.
     *
     * @param path path without a query
     * @return the route, or null if there is none
     */
    public static @Nullable Route of(String path) {
        Route route = BY_PATH.get(path);
        if (route != null) {
            return route;
        }
        int slash = path.startsWith(PRICE.path.substring(0, PRICE.fixed)) ? path.indexOf('/', PRICE.fixed) : -1;
        return slash < 0 || path.indexOf('/', slash + 1) >= 0 ? null : PRICE;
    }

    /**
     * Returns whether parts of the path are parameters. The handler of such a route is given them in place of a body.
     *
     * @return true for {@link #PRICE} only
     */
    public boolean hasParameters() {
        return fixed < path.length();
    }

    /**
     * Returns the parameters in a path of this route, with the slashes between them.
     *
     * @param asked path of a request, without a query, of which {@link #of} returned this route
     * @return end of the path, as it was sent
     */
    public String parameters(String asked) {
        return asked.substring(fixed);
    }

    /**
     * Returns the method of the route.
     *
     * @return {@code GET} or {@code POST}
     */
    public String method() {
        return method;
    }

    /**
     * Returns the path of the route.
     *
     * @return path, which begins with a slash
     */
    public String path() {
        return path;
    }

    /**
     * Returns whether an answer may take so long that other requests of the same thread should not wait for it.
     *
     * @return whether a worker should answer requests of the route
     */
    public boolean isLong() {
        return kind != Kind.QUICK;
    }

    /**
     * Returns the executor of those requests that a worker should answer.
     *
     * @return pool of workers
     */
    public Pool pool() {
        return pool;
    }

    /**
     * Returns the role that a client needs where the service has tokens.
     *
     * @return role
     */
    public Role role() {
        return role;
    }

    /**
     * Returns whether the body may be as long as {@link Limits#bulkBodyBytes}.
     *
     * @return whether the route accepts bulk requests or updates
     */
    public boolean isBulk() {
        return kind == Kind.BULK;
    }

    /**
     * Returns whether requests change the index. Such requests must have the content type of JSON, which a page of another site cannot send from a
     * browser without asking the server.
     *
     * @return true for {@link #UPDATE} only
     */
    public boolean isChange() {
        return this == UPDATE;
    }

    /**
     * Returns whether the answer is sent in chunks.
     *
     * @return true for {@link #V5_BITMAP_BULK} and {@link #SEARCH_ALL} only
     */
    public boolean isChunked() {
        return this == V5_BITMAP_BULK || this == SEARCH_ALL;
    }
}
