package dev.touchstone.index.server.api;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** {@code /v5/search/.../bulk/prices}: a search on each line, and an answer on each line, in the same order. A bad line costs its own answer only. */
final class V1LinesHandler implements Handler {
    private final V1Search search;
    private final Json json;
    private final int mostItems;

    V1LinesHandler(V1Search search, PriceService service) {
        this.search = search;
        json = service.json();
        mostItems = service.limits().items();
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Answer answer) {
        answer.type(ContentType.JSON_LINES);
        int items = 0;
        int line = 0;
        int next;
        for (int at = from; at < to; at = next) {
            int end = at;
            while (end < to && bytes[end] != '\n') {
                end++;
            }
            next = end + 1;
            line++;
            if (V1Reader.skip(bytes, at, end) == end) {
                continue;
            }
            if (++items > mostItems) {
                Errors.json(
                        new RequestException(RequestException.TOO_LARGE, "more than " + mostItems + " searches"),
                        answer);
                return;
            }
            answer(bytes, at, end, line, answer);
        }
    }

    private void answer(byte[] bytes, int from, int to, int line, Answer answer) {
        search.query.clear();
        int end = search.fast.read(bytes, from, to, true, search.query);
        if (end != V1Reader.ODD && V1Reader.skip(bytes, end, to) == to) {
            V1BulkHandler.item(search, answer);
            int idFrom = search.fast.idFrom();
            if (idFrom == V1Reader.ODD) {
                answer.ascii("null");
            } else {
                answer.put(bytes, idFrom, search.fast.idTo());
            }
        } else {
            slow(bytes, from, to, line, answer);
        }
        answer.put('}').put('\n');
    }

    private void slow(byte[] bytes, int from, int to, int line, Answer answer) {
        int before = answer.size();
        String id = "null";
        try (JsonParser parser = json.lenient(bytes, from, to)) {
            parser.nextToken();
            search.readSlow(parser);
            id = search.slowId();
            Json.end(parser);
            search.apply();
            V1BulkHandler.item(search, answer);
        } catch (IOException e) {
            RequestException bad = Json.bad(e);
            V1BulkHandler.failed(
                    new RequestException(bad.status(), "line " + line + " of the request: " + bad.text()),
                    before,
                    answer);
        } catch (RequestException e) {
            V1BulkHandler.failed(e, before, answer);
        }
        answer.put(id.getBytes(StandardCharsets.UTF_8));
    }
}
