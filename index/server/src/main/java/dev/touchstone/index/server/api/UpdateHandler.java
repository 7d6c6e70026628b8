package dev.touchstone.index.server.api;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import dev.touchstone.index.IndexException;
import dev.touchstone.index.Price;
import dev.touchstone.index.PriceBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The handler of {@code POST /v2/prices}: prices to remove, and then prices to put, which become visible together. */
final class UpdateHandler implements Handler {
    private static final String PUT = "put";
    private static final String REMOVE = "remove";
    private static final Set<String> REMOVED = Set.of(PriceJson.ID, PriceJson.OFFERING);

    private final PriceService service;
    private final Json json;
    private final int mostItems;

    /** A price to remove. */
    private record Removed(String offering, String id) {}

    UpdateHandler(PriceService service) {
        this.service = service;
        json = service.json();
        mostItems = service.limits().items();
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Answer answer) {
        try {
            PriceBatch batch = batch(bytes, from, to);
            answer.checkStopped(); // an update that has begun is not stopped
            long version = service.update(batch);
            answer.version(version);
            answer.ascii("{\"version\":")
                    .digits(version)
                    .ascii(",\"changes\":")
                    .digits(batch.size())
                    .put('}')
                    .put('\n');
        } catch (RequestException e) {
            Errors.json(e, answer);
        } catch (IndexException e) {
            Errors.json(new RequestException(RequestException.UNFIT, String.valueOf(e.getMessage())), answer);
        }
    }

    private PriceBatch batch(byte[] bytes, int from, int to) throws RequestException {
        List<Price> put = new ArrayList<>();
        List<Removed> removed = new ArrayList<>();
        try (TreeParser parser = json.strict(bytes, from, to)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw Json.bad("an object with put and remove is expected", parser);
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                if (!name.equals(PUT) && !name.equals(REMOVE)) {
                    throw Json.bad("no such name: '" + Shape.shown(name) + "'; known are put and remove", parser);
                }
                if (parser.nextToken() != JsonToken.START_ARRAY) {
                    throw Json.bad("a list is expected: name=" + name, parser);
                }
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    if (put.size() + removed.size() >= mostItems) {
                        throw new RequestException(RequestException.TOO_LARGE, "more than " + mostItems + " changes");
                    }
                    JsonNode item = json.tree(parser);
                    if (name.equals(PUT)) {
                        put.add(PriceJson.read(item, service.index(), PUT + "[" + put.size() + "]"));
                    } else {
                        removed.add(removed(item, REMOVE + "[" + removed.size() + "]"));
                    }
                }
            }
            Json.end(parser);
        } catch (IOException e) {
            throw Json.bad(e);
        }
        PriceBatch batch = new PriceBatch();
        removed.forEach(each -> batch.remove(each.offering, each.id));
        put.forEach(batch::put);
        return batch;
    }

    private static Removed removed(JsonNode item, String path) throws RequestException {
        Shape.object(item, path, REMOVED);
        return new Removed(Shape.needed(item, PriceJson.OFFERING, path), Shape.needed(item, PriceJson.ID, path));
    }
}
