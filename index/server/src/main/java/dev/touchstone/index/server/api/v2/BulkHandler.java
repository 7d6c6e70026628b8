package dev.touchstone.index.server.api.v2;

import com.fasterxml.jackson.core.JsonToken;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.RequestException;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.json.Json;
import dev.touchstone.index.server.api.json.JsonLexer;
import dev.touchstone.index.server.api.json.QueryReader;

/** The handler of a list of searches, each of which may have an id: a list of their answers in the same order. */
final class BulkHandler implements Handler {
    /**
     * Divisor of the maximum length of a request that gives the maximum length of an answer: answers up to this length must fit into the memory
     * budget of an idle server.
     */
    private static final int ANSWER_PART = 2;

    private final Item each;
    private final Json json;
    private final QueryReader reader;
    private final JsonLexer in;
    private final int mostItems;
    private final int mostBytes;

    /** A writer of the answer to one search of the list. */
    @FunctionalInterface
    interface Item {
        /** Writes the members of an object. */
        void write(PriceQuery query, Response answer);
    }

    /**
     * Creates a handler.
     *
     * @param each writer of each answer
     */
    BulkHandler(PriceService service, Json json, Item each) {
        this.each = each;
        this.json = json;
        reader = new QueryReader(service, json);
        in = new JsonLexer(service.limits().depth());
        mostItems = service.limits().items();
        mostBytes = service.limits().bulkBodyBytes() / ANSWER_PART;
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Response answer) {
        in.begin(bytes, JsonLexer.behindMark(bytes, from, to), to);
        answer.put('[');
        try {
            if (!items(bytes, answer) || !in.isEnd()) {
                throw json.fault(bytes, from, to, in.at(), JsonToken.START_ARRAY, "a list of searches is expected");
            }
            answer.put(']').put('\n');
        } catch (RequestException e) {
            e.writeJson(answer);
        }
    }

    /** Answers all searches; returns false if they are not JSON. */
    private boolean items(byte[] bytes, Response answer) throws RequestException {
        if (!in.open('[')) {
            return false;
        }
        if (in.close(']')) {
            return true;
        }
        int items = 0;
        do {
            if (items++ >= mostItems) {
                if (!in.beginsValue()) {
                    return false;
                }
                throw RequestException.bad("", "more than " + mostItems + " searches");
            }
            answer.checkStopped();
            if (answer.size() > mostBytes) { // what is wrong with the request itself is told first
                if (in.value() == JsonLexer.Kind.NONE) {
                    return false;
                }
                continue;
            }
            if (items > 1) {
                answer.put(',');
            }
            answer.put('{');
            if (!item(bytes, answer)) {
                return false;
            }
            answer.put('}');
        } while (in.take(','));
        if (!in.close(']')) {
            return false;
        }
        if (answer.size() > mostBytes) {
            throw new RequestException(RequestException.TOO_LARGE, "the answer has more than " + mostBytes + " bytes");
        }
        return true;
    }

    /** Answers a search by the members of an object; returns false if the search is not JSON. */
    private boolean item(byte[] bytes, Response answer) {
        int begin = in.at();
        if (!reader.read(in, true) || (reader.isIdIgnored() && !isJson(bytes, begin))) {
            return false;
        }
        if (reader.id(answer)) {
            answer.put(',');
        }
        try {
            reader.finish();
        } catch (RequestException e) {
            if (!isJson(bytes, begin)) {
                return false;
            }
            e.writeMember(answer);
            return true;
        }
        each.write(reader.query(), answer);
        return true;
    }

    /** Returns whether no object up to the next byte has two members of one name, which the lexer does not notice in all places. */
    private boolean isJson(byte[] bytes, int begin) {
        return json.find(bytes, begin, in.at()) == null;
    }
}
