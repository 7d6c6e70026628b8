package dev.touchstone.index.server.api.v1;

import com.fasterxml.jackson.core.JsonParser;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.RequestException;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.json.FieldNames;
import dev.touchstone.index.server.api.json.Json;
import dev.touchstone.index.server.api.json.JsonLexer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A search of version 1, from the request over the query to the answer, and the handler of {@code /v1/search/.../prices}: one search, answered by a price
 * or by a line with the reason why there is none. For one thread.
 */
public final class V1Search implements Handler {
    private static final byte[] ID = ascii("{\"id\":\"");
    private static final byte[] SPEC = ascii("\",\"spec\":");
    private static final byte[] ODD_ID = ascii("{\"id\":");
    private static final byte[] ODD_SPEC = ascii(",\"spec\":");
    private static final byte[] VALUE = ascii(",\"value\":");
    private static final byte[] CURRENCY = ascii(",\"currency\":");

    final PriceQuery query;
    final V1Reader fast;
    private final V1Json slow;
    private final FieldNames fields;
    private final PriceIndex index;
    private final Json json;

    /** Creates a handler; the parsers of {@code json} read what {@link V1Reader} does not. */
    public V1Search(PriceService service, Json json) {
        index = service.index();
        this.json = json;
        fields = new FieldNames(index, V1Json.CHAR);
        int conditions = service.limits().conditions();
        fast = new V1Reader(fields, conditions, service.limits().depth());
        slow = new V1Json(index, conditions);
        query = index.query();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Response answer) {
        try {
            read(bytes, from, to);
            SearchResult result = search();
            answer.version(result.version());
            answer(result, answer);
            answer.put('\n');
        } catch (RequestException e) {
            e.writeText(answer);
        }
    }

    /** Reads a request that is a complete body. */
    private void read(byte[] bytes, int from, int to) throws RequestException {
        query.clear();
        int end = fast.read(bytes, from, to, false, query);
        if (end == V1Reader.ODD || JsonLexer.skip(bytes, end, to) != to) {
            try (JsonParser parser = json.lenient(bytes, from, to)) {
                parser.nextToken();
                readSlow(parser);
                Json.end(parser);
            } catch (IOException e) {
                throw Json.bad(e);
            }
            apply();
        }
    }

    /** Reads the object at which a parser is, without making a query. */
    void readSlow(JsonParser parser) throws IOException, RequestException {
        slow.read(parser);
    }

    /** Makes the query of the object that {@link #readSlow} has read. */
    void apply() throws RequestException {
        query.clear();
        slow.apply(query);
    }

    String slowId() {
        return slow.id();
    }

    SearchResult search() {
        return index.search(query);
    }

    /** Writes the price of a result, which must have one. */
    void answer(SearchResult result, Response answer) throws RequestException {
        if (result instanceof SearchResult.Found found) {
            write(found, answer);
        } else if (result instanceof SearchResult.Ambiguous several) {
            throw new RequestException(
                    RequestException.AMBIGUOUS, several.matches() + " prices match and none of them is a default one");
        } else {
            throw new RequestException(RequestException.NONE, "no price matches");
        }
    }

    private void write(SearchResult.Found found, Response answer) {
        // these values are in different parts of memory: loaded one after the other here, their cache misses overlap
        long value = found.unscaledValue(0);
        long idHigh = found.idHigh(0);
        long idLow = found.idLow(0);
        if (found.hasUuid(0)) {
            answer.put(ID).uuid(idHigh, idLow).put(SPEC);
        } else {
            answer.put(ODD_ID).json(found.id(0)).put(ODD_SPEC);
        }
        answer.json(fields.spec == null ? "" : found.text(0, fields.spec))
                .put(VALUE)
                .decimal(value, found.scale(0))
                .put(CURRENCY)
                .json(found.currency(0))
                .put('}');
    }
}
