package dev.touchstone.index.server.api;

import dev.touchstone.index.PriceQuery;

/** A reader of the body of a request that is one query in the full query language. One for each handler. Not thread-safe. */
final class QueryRequest {
    private final Json json;
    private final QueryReader reader;
    private final PriceQuery query;

    QueryRequest(PriceService service) {
        json = service.json();
        reader = new QueryReader(service.index(), service.limits());
        query = service.index().query();
    }

    /** Reads a body into {@link #query}; returns false if the body is not a query, in which case the answer holds the reason. */
    boolean read(byte[] bytes, int from, int to, Answer answer) {
        try {
            reader.read(json.object(bytes, from, to), false, query);
            return true;
        } catch (RequestException e) {
            Errors.json(e, answer);
            return false;
        }
    }

    PriceQuery query() {
        return query;
    }
}
