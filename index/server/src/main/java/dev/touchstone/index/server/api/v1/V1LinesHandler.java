package dev.touchstone.index.server.api.v1;

import com.fasterxml.jackson.core.JsonParser;
import dev.touchstone.index.server.api.ContentType;
import dev.touchstone.index.server.api.PartHandler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.RequestException;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.json.Json;
import dev.touchstone.index.server.api.json.JsonLexer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The handler of {@code /v5/search/.../bulk/prices}: a search on each line, answered by a line, in the same order. A bad line affects only its own
 * answer.
 */
public final class V1LinesHandler implements PartHandler {
    private static final int PART_BYTES = 32 << 10;

    private final V1Search search;
    private final Json json;
    private final int mostItems;
    private byte[] bytes = {};
    private int at; // index of the next line
    private int end;
    private int line; // number of lines so far

    /** Creates a handler; the parsers of {@code json} read what {@link V1Reader} does not. */
    public V1LinesHandler(PriceService service, Json json) {
        search = new V1Search(service, json);
        this.json = json;
        mostItems = service.limits().items();
    }

    @Override
    public void handle(byte[] request, int from, int to, Response answer) {
        for (boolean isMore = begin(request, from, to, answer); isMore; ) {
            isMore = lines(Integer.MAX_VALUE, answer);
        }
    }

    @Override
    public boolean begin(byte[] request, int from, int to, Response answer) {
        bytes = request;
        at = from;
        end = to;
        line = 0;
        answer.type(ContentType.JSON_LINES);
        if (isTooMany()) { // must be answered before the first part is sent
            RequestException.bad("", "more than " + mostItems + " searches").writeJson(answer);
            return false;
        }
        return lines(PART_BYTES, answer);
    }

    @Override
    public boolean next(Response answer) {
        answer.truncate(0);
        return lines(PART_BYTES, answer);
    }

    private boolean isTooMany() {
        int items = 0;
        for (int from = at; from < end; ) {
            int to = lineEnd(from);
            if (JsonLexer.skip(bytes, from, to) < to && ++items > mostItems) {
                return true;
            }
            from = to + 1;
        }
        return false;
    }

    private int lineEnd(int from) {
        int to = from;
        while (to < end && bytes[to] != '\n') {
            to++;
        }
        return to;
    }

    /** Answers lines until the answer has {@code enough} bytes; returns whether there are lines left. */
    private boolean lines(int enough, Response answer) {
        while (at < end && answer.size() < enough) {
            answer.checkStopped();
            int from = at;
            int to = lineEnd(from);
            at = to + 1;
            line++;
            if (JsonLexer.skip(bytes, from, to) < to) {
                answer(from, to, answer);
            }
        }
        return at < end;
    }

    private void answer(int from, int to, Response answer) {
        search.query.clear();
        int behind = search.fast.read(bytes, from, to, true, search.query);
        if (behind != V1Reader.ODD && JsonLexer.skip(bytes, behind, to) == to) {
            V1BulkHandler.item(search, answer);
            int idFrom = search.fast.idFrom();
            if (idFrom == V1Reader.ODD) {
                answer.ascii("null");
            } else {
                answer.put(bytes, idFrom, search.fast.idTo());
            }
        } else {
            slow(from, to, answer);
        }
        answer.put('}').put('\n');
    }

    private void slow(int from, int to, Response answer) {
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
