package dev.touchstone.builds.master;

import dev.touchstone.builds.BuildRequest;
import java.util.HashMap;
import java.util.Map;

/** What a job asks of an agent; jobs of one route wait in one line. */
record Route(String label, String runner, boolean noop) {
    private static final int MAX_ROUTES = 10_000;

    static Route of(BuildRequest request) {
        return new Route(request.label(), request.runner(), request.noop());
    }

    /** One object for each route, so that a hundred thousand jobs do not hold as many. For one thread. */
    static final class Table {
        private final Map<Route, Route> routes = new HashMap<>();

        Route of(BuildRequest request) {
            Route route = Route.of(request);
            if (routes.size() > MAX_ROUTES) {
                routes.clear();
            }
            Route known = routes.putIfAbsent(route, route);
            return known == null ? route : known;
        }
    }

    @Override
    public String toString() {
        return "label=" + label + " runner=" + runner;
    }
}
