package dev.touchstone.index.server.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.touchstone.index.PriceIndex;
import dev.touchstone.index.SearchResult;
import java.io.IOException;
import java.io.UncheckedIOException;

/** {@code /v2/search}: one search in the full query language. */
final class SearchHandler implements Handler {
    private final PriceIndex index;
    private final Json json;
    private final QueryRequest request;

    SearchHandler(PriceService service) {
        index = service.index();
        json = service.json();
        request = new QueryRequest(service);
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Answer answer) {
        if (!request.read(bytes, from, to, answer)) {
            return;
        }
        SearchResult result = index.search(request.query());
        answer.version(result.version());
        answer.status(Results.status(result));
        try (JsonGenerator out = json.generator(answer)) {
            out.writeStartObject();
            Results.members(result, request.query().policy(), index, out);
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // an answer takes all bytes
        }
        answer.put('\n');
    }
}
