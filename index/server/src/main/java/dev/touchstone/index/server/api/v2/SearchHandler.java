package dev.touchstone.index.server.api.v2;

import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.json.Json;
import dev.touchstone.index.server.api.json.QueryReader;

/** The handler of {@code /v2/search}: one search in the full query language. */
public final class SearchHandler implements Handler {
    private static final int MAX_QUICK = 100; // prices in an answer

    /** Maximum length in bytes of a request that is quick: a longer one may have conditions that take long in a large offering. */
    private static final int MAX_QUICK_BYTES = 1 << 10;

    private final boolean isQuick;
    private final PriceIndex index;
    private final QueryReader reader;
    private final Results results;

    /**
     * Creates a handler.
     *
     * @param isQuick whether to defer requests that may take longer than a search of one offering with a few conditions and up to 100 prices in the
     *     answer
     */
    public SearchHandler(PriceService service, Json json, boolean isQuick) {
        this.isQuick = isQuick;
        index = service.index();
        reader = new QueryReader(service, json);
        results = new Results(index);
    }

    /** Returns the handler of {@code /v2/search/bulk}. */
    public static Handler bulk(PriceService service, Json json) {
        PriceIndex index = service.index();
        Results results = new Results(index);
        return new BulkHandler(
                service,
                json,
                (query, answer) -> results.members(index.search(query, answer::isStopped), query.policy(), answer));
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Response answer) {
        if (isQuick && to - from > MAX_QUICK_BYTES) {
            answer.defer();
            return;
        }
        if (!reader.read(bytes, from, to, answer)) {
            return;
        }
        if (isQuick && (reader.isNested() || isLong(reader.query()))) {
            answer.defer();
            return;
        }
        SearchResult result = index.search(reader.query(), answer::isStopped);
        answer.version(result.version());
        answer.status(Results.status(result));
        answer.put('{');
        results.members(result, reader.query().policy(), answer);
        answer.put('}').put('\n');
    }

    private static boolean isLong(PriceQuery query) {
        return !query.hasOffering() || (query.policy() == MatchPolicy.ALL && query.limit() > MAX_QUICK);
    }
}
