package dev.touchstone.index.server.api;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import dev.touchstone.index.PriceIndex;
import java.io.IOException;

/** The handler of {@code /v2/search/bulk}: a list of searches, each of which may have an id, answered by a list in the same order. */
final class SearchBulkHandler implements Handler {
    /**
     * Divisor of the maximum length of a request that gives the maximum length of an answer: answers up to this length must fit into the memory
     * budget of an idle server.
     */
    private static final int ANSWER_PART = 2;

    private final PriceIndex index;
    private final Json json;
    private final QueryReader reader;
    private final int mostItems;
    private final int mostBytes;

    SearchBulkHandler(PriceService service) {
        index = service.index();
        json = service.json();
        reader = new QueryReader(service);
        mostItems = service.limits().items();
        mostBytes = service.limits().bulkBodyBytes() / ANSWER_PART;
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Answer answer) {
        try (TreeParser parser = json.strict(bytes, from, to)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw Json.bad("a list of searches is expected", parser);
            }
            try (JsonGenerator out = json.generator(answer)) {
                out.writeStartArray();
                for (int items = 0; parser.nextToken() != JsonToken.END_ARRAY; items++) {
                    if (items >= mostItems) {
                        throw new RequestException(RequestException.TOO_LARGE, "more than " + mostItems + " searches");
                    }
                    answer.checkStopped();
                    item(json.tree(parser), out);
                    if (answer.size() > mostBytes) {
                        throw new RequestException(
                                RequestException.TOO_LARGE, "the answer has more than " + mostBytes + " bytes");
                    }
                }
                Json.end(parser);
                out.writeEndArray();
            }
            answer.put('\n');
        } catch (IOException e) {
            Errors.json(Json.bad(e), answer);
        } catch (RequestException e) {
            Errors.json(e, answer);
        }
    }

    private void item(JsonNode request, JsonGenerator out) throws IOException {
        out.writeStartObject();
        JsonNode id = request.get(QueryReader.ID);
        if (id != null && id.isValueNode()) {
            out.writeFieldName(QueryReader.ID);
            if (id.isTextual()) {
                out.writeString(id.textValue());
            } else {
                out.writeRawValue(id.asText());
            }
        }
        try {
            reader.read(request, true);
            Results.members(index.search(reader.query()), reader.query().policy(), index, out);
        } catch (RequestException e) {
            Results.error(e.status(), e.text(), out);
        }
        out.writeEndObject();
    }
}
