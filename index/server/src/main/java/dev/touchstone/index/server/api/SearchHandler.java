package dev.touchstone.index.server.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.PriceIndex;
import dev.touchstone.index.PriceQuery;
import dev.touchstone.index.SearchResult;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The handler of {@code /v2/search}: one search in the full query language. */
final class SearchHandler implements Handler {
    private static final int MAX_QUICK = 100; // prices in an answer

    private final boolean isQuick;
    private final PriceIndex index;
    private final Json json;
    private final QueryReader reader;

    /**
     * Creates a handler.
     *
     * @param isQuick whether to defer requests that may take longer than a search of one offering with up to 100 prices in the answer
     */
    SearchHandler(PriceService service, boolean isQuick) {
        this.isQuick = isQuick;
        index = service.index();
        json = service.json();
        reader = new QueryReader(service);
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Answer answer) {
        if (!reader.read(bytes, from, to, answer)) {
            return;
        }
        if (isQuick && isLong(reader.query())) {
            answer.defer();
            return;
        }
        SearchResult result = index.search(reader.query());
        answer.version(result.version());
        answer.status(Results.status(result));
        try (JsonGenerator out = json.generator(answer)) {
            out.writeStartObject();
            Results.members(result, reader.query().policy(), index, out);
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // never thrown, because an answer is in memory
        }
        answer.put('\n');
    }

    private static boolean isLong(PriceQuery query) {
        return !query.hasOffering() || (query.policy() == MatchPolicy.ALL && query.limit() > MAX_QUICK);
    }
}
