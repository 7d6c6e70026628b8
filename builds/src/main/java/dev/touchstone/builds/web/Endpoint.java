package dev.touchstone.builds.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A method and path that the server answers, besides the files of the page. {@code openapi.json} describes each of them. */
@SuppressWarnings("ImmutableEnumChecker") // the collections are unmodifiable
enum Endpoint {
    OPEN_API("GET", "/api/v1/openapi.json", Rights.NONE),
    LOGIN("POST", "/api/v1/login", Rights.NONE),
    LOGOUT("POST", "/api/v1/logout", Rights.NONE),
    LIST_JOBS("GET", "/api/v1/jobs", Rights.CLIENT, "most", "before"),
    SUBMIT("POST", "/api/v1/jobs", Rights.CLIENT),
    JOB("GET", "/api/v1/jobs/{id}", Rights.CLIENT),
    LOG("GET", "/api/v1/jobs/{id}/log", Rights.CLIENT, "offset", "length", "wait"),
    RAW("GET", "/api/v1/jobs/{id}/raw", Rights.CLIENT),
    TIMES("GET", "/api/v1/jobs/{id}/times", Rights.CLIENT, "offset"),
    EVENTS("GET", "/api/v1/jobs/{id}/events", Rights.CLIENT, "offset"),
    CANCEL("POST", "/api/v1/jobs/{id}/cancel", Rights.CLIENT),
    RETRY("POST", "/api/v1/jobs/{id}/retry", Rights.CLIENT),
    AGENTS("GET", "/api/v1/agents", Rights.CLIENT),
    HOOK("POST", "/hooks/{name}", Rights.NONE),
    HEALTH("GET", "/health", Rights.CLIENT),
    METRICS("GET", "/metrics", Rights.CLIENT);

    /** Says who may call an endpoint at all. */
    enum Rights {
        /** Anybody; it tells nothing that is secret. */
        NONE,
        /** Whoever shows a client's token, or has logged in with one. */
        CLIENT
    }

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,100}");

    private final String method;
    private final String path;
    private final Rights rights;
    private final Set<String> query;
    private final List<String> parts;

    Endpoint(String method, String path, Rights rights, String... query) {
        this.method = method;
        this.path = path;
        this.rights = rights;
        this.query = Set.of(query);
        this.parts = List.of(path.split("/", -1));
    }

    String method() {
        return method;
    }

    /** Returns the path, with names of its variable parts in braces. */
    String path() {
        return path;
    }

    Rights rights() {
        return rights;
    }

    /** Returns the names that may stand in the query. */
    Set<String> query() {
        return query;
    }

    /** Returns the endpoints of a path, one for each method; empty if there are none. */
    static List<Endpoint> of(String path) {
        List<Endpoint> found = new ArrayList<>();
        String[] parts = path.split("/", -1);
        for (Endpoint endpoint : values()) {
            if (endpoint.matches(parts)) {
                found.add(endpoint);
            }
        }
        return found;
    }

    private boolean matches(String[] path) {
        boolean isSame = path.length == parts.size();
        for (int i = 0; isSame && i < path.length; i++) {
            isSame = isVariable(i) ? NAME.matcher(path[i]).matches() : path[i].equals(parts.get(i));
        }
        return isSame;
    }

    private boolean isVariable(int part) {
        return parts.get(part).startsWith("{");
    }

    /** Returns what stands in the variable part of a path; null if the endpoint has none. */
    @Nullable
    String variable(String of) {
        String[] split = of.split("/", -1);
        for (int i = 0; i < split.length; i++) {
            if (isVariable(i)) {
                return split[i];
            }
        }
        return null;
    }
}
