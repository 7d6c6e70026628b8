package dev.touchstone.index.server.api.handler;

import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.api.json.Json;
import dev.touchstone.index.server.api.v1.V1BulkHandler;
import dev.touchstone.index.server.api.v1.V1LinesHandler;
import dev.touchstone.index.server.api.v1.V1Search;
import dev.touchstone.index.server.api.v2.CountHandler;
import dev.touchstone.index.server.api.v2.ExplainHandler;
import dev.touchstone.index.server.api.v2.IndexHandler;
import dev.touchstone.index.server.api.v2.OpenApiHandler;
import dev.touchstone.index.server.api.v2.PageHandler;
import dev.touchstone.index.server.api.v2.ReadyHandler;
import dev.touchstone.index.server.api.v2.Results;
import dev.touchstone.index.server.api.v2.SearchAllHandler;
import dev.touchstone.index.server.api.v2.SearchHandler;
import dev.touchstone.index.server.api.v2.SearchPageHandler;
import dev.touchstone.index.server.api.v2.UpdateHandler;

/** A factory of the handlers of a service's requests. Thread-safe; each thread needs handlers of its own. */
public final class HandlerFactory {
    private final PriceService service;
    private final Json json;

    /**
     * Creates a factory.
     *
     * @param service service that answers the requests, not null
     */
    public HandlerFactory(PriceService service) {
        this.service = service;
        json = new Json(service.limits());
    }

    /**
     * Returns a handler like {@link #handler}, which {@linkplain Response#isDeferred defers} requests that may take long.
     *
     * @param route route of the requests, not null
     * @return a handler for one thread
     */
    public Handler quickHandler(Route route) {
        return route == Route.SEARCH ? new SearchHandler(service, json, true) : handler(route);
    }

    /**
     * Returns a handler of a route.
     *
     * @param route route of the requests, not null
     * @return a handler for one thread
     */
    public Handler handler(Route route) {
        return switch (route) {
            case V1_BITMAP, V1_MAP -> new V1Search(service, json);
            case V2_BITMAP_BULK, V4_BITMAP_BULK, V4_MAP_BULK -> new V1BulkHandler(service, json);
            case V5_BITMAP_BULK -> new V1LinesHandler(service, json);
            case SEARCH -> new SearchHandler(service, json, false);
            case SEARCH_BULK -> SearchHandler.bulk(service, json);
            case SEARCH_ALL -> new SearchAllHandler(service, json);
            case SEARCH_PAGE -> new SearchPageHandler(service, json);
            case COUNT -> new CountHandler(service, json);
            case EXPLAIN -> new ExplainHandler(service, json);
            case EXPLAIN_BULK -> ExplainHandler.bulk(service, json);
            case UPDATE -> new UpdateHandler(service, json);
            case PRICE -> new Results(service.index())::get;
            case INDEX -> new IndexHandler(service);
            case HEALTH -> ReadyHandler.health(service);
            case READY -> ReadyHandler.ready(service);
            case METRICS -> service.metrics();
            case OPEN_API -> new OpenApiHandler(service);
            case PAGE -> new PageHandler();
        };
    }
}
