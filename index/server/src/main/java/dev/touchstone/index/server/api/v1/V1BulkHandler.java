package dev.touchstone.index.server.api.v1;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.RequestException;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.json.Json;
import dev.touchstone.index.server.api.json.JsonLexer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The handler of {@code /v2/search/.../bulk/prices} and {@code /v4/search/.../bulk/prices}: a list of searches, answered by a list in the same order.
 */
public final class V1BulkHandler implements Handler {
    static final byte[] PRICE = "{\"price\":".getBytes(StandardCharsets.US_ASCII);
    static final byte[] ID = ",\"id\":".getBytes(StandardCharsets.US_ASCII);

    private static final int ANSWER_PART = 2; // an answer is seldom longer than its request divided by this
    private static final int MAX_EXPECTED = 1 << 20;

    private final V1Search search;
    private final Json json;
    private final int mostItems;

    /** Creates a handler; the parsers of {@code json} read what {@link V1Reader} does not. */
    public V1BulkHandler(PriceService service, Json json) {
        search = new V1Search(service, json);
        this.json = json;
        mostItems = service.limits().items();
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Response answer) {
        try {
            answer.expect(Math.min((to - from) / ANSWER_PART, MAX_EXPECTED));
            answer.put('[');
            if (!fast(bytes, from, to, answer)) {
                answer.truncate(1);
                slow(bytes, from, to, answer);
            }
            answer.put(']').put('\n');
        } catch (RequestException e) {
            e.writeJson(answer);
        }
    }

    private boolean fast(byte[] bytes, int from, int to, Response answer) throws RequestException {
        int at = JsonLexer.skip(bytes, from, to);
        if (at == to || bytes[at] != '[') {
            return false;
        }
        for (int items = 0; ; items++) {
            search.query.clear();
            at = search.fast.read(bytes, at + 1, to, true, search.query);
            if (at == V1Reader.ODD) {
                return false; // an empty list too
            }
            check(items, answer);
            if (items > 0) {
                answer.put(',');
            }
            item(answer);
            int idFrom = search.fast.idFrom();
            if (idFrom == V1Reader.ODD) {
                answer.ascii("null}");
            } else {
                answer.put(bytes, idFrom, search.fast.idTo()).put('}');
            }
            at = JsonLexer.skip(bytes, at, to);
            if (at < to && bytes[at] == ']') {
                return JsonLexer.skip(bytes, at + 1, to) == to;
            }
            if (at == to || bytes[at] != ',') {
                return false;
            }
        }
    }

    private void slow(byte[] bytes, int from, int to, Response answer) throws RequestException {
        try (JsonParser parser = json.lenient(bytes, from, to)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw Json.bad("a list of searches is expected", parser);
            }
            for (int items = 0; parser.nextToken() != JsonToken.END_ARRAY; items++) {
                check(items, answer);
                search.readSlow(parser);
                if (items > 0) {
                    answer.put(',');
                }
                slowItem(answer);
            }
            Json.end(parser);
        } catch (IOException e) {
            throw Json.bad(e);
        }
    }

    /** Answers the search that {@link V1Search#readSlow} has read. */
    private void slowItem(Response answer) {
        int before = answer.size();
        try {
            search.apply();
            item(answer);
        } catch (RequestException e) {
            failed(e, before, answer);
        }
        answer.put(search.slowId().getBytes(StandardCharsets.UTF_8)).put('}');
    }

    private void check(int items, Response answer) throws RequestException {
        answer.checkStopped();
        if (items >= mostItems) {
            throw RequestException.bad("", "more than " + mostItems + " searches");
        }
    }

    /** Answers the query, up to the value of the id. */
    private void item(Response answer) {
        item(search, answer);
    }

    static void item(V1Search search, Response answer) {
        int before = answer.size();
        try {
            answer.put(PRICE);
            search.answer(search.search(), answer);
            answer.put(ID);
        } catch (RequestException e) {
            failed(e, before, answer);
        }
    }

    static void failed(RequestException failure, int before, Response answer) {
        answer.truncate(before);
        failure.writeMessage(answer);
        answer.put(ID);
    }
}
