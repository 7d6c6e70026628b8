package dev.touchstone.index.server.api.v2;

import com.fasterxml.jackson.core.JsonToken;
import dev.touchstone.index.IndexException;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.RequestException;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.UpdateException;
import dev.touchstone.index.server.api.json.Json;
import dev.touchstone.index.server.api.json.JsonLexer;
import dev.touchstone.index.server.api.json.Members;
import dev.touchstone.index.server.api.json.PriceJson;
import java.io.IOException;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;

/** The handler of {@code POST /v2/prices}: prices to remove, and then prices to put, which become visible together. */
public final class UpdateHandler implements Handler {
    private static final Logger LOG = System.getLogger(UpdateHandler.class.getName());
    private static final String[] LISTS = {"put", "remove"};
    private static final int PUT = 0;

    private static final int OFFERING = 0;
    private static final int ID = 1;

    private final PriceService service;
    private final Json json;
    private final JsonLexer in;
    private final Members lists = new Members(LISTS);
    private final Members removal = new Members("offering", "id");
    private final PriceJson prices;
    private final int mostItems;

    /** A price to remove. */
    record Removed(String offering, String id) {}

    /** The changes of a request, which become a batch with the removals first. */
    record Changes(List<Price> put, List<Removed> removed) {
        PriceBatch batch() {
            PriceBatch batch = new PriceBatch();
            removed.forEach(each -> batch.remove(each.offering, each.id));
            put.forEach(batch::put);
            return batch;
        }
    }

    /** Creates a handler; the parsers of {@code json} tell the faults of requests. */
    public UpdateHandler(PriceService service, Json json) {
        this.service = service;
        this.json = json;
        in = new JsonLexer(service.limits().depth());
        prices = new PriceJson(service);
        mostItems = service.limits().items();
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Response answer) {
        try {
            PriceBatch batch = changes(bytes, from, to).batch();
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
            e.writeJson(answer);
        } catch (IndexException e) {
            new RequestException(RequestException.UNFIT, String.valueOf(e.getMessage())).writeJson(answer);
        } catch (UpdateException e) {
            LOG.log(Logger.Level.WARNING, "update was not applied: " + e.getMessage());
            new RequestException(RequestException.NOT_STORED, String.valueOf(e.getMessage())).writeJson(answer);
        } catch (IOException e) {
            LOG.log(Logger.Level.ERROR, "update was not stored", e);
            new RequestException(
                            RequestException.NOT_STORED,
                            "the changes were not stored and are not visible, but a restart may find them; the log of the"
                                    + " server has the reason")
                    .writeJson(answer);
        }
    }

    /** Reads a body. */
    Changes changes(byte[] bytes, int from, int to) throws RequestException {
        Changes changes = new Changes(new ArrayList<>(), new ArrayList<>());
        in.begin(bytes, JsonLexer.behindMark(bytes, from, to), to);
        if (!read(bytes, from, changes) || !in.isEnd()) {
            throw json.fault(
                    bytes, from, to, in.at(), JsonToken.START_OBJECT, "an object with put and remove is expected");
        }
        return changes;
    }

    /** Reads the body into changes; returns false if it is not JSON. */
    private boolean read(byte[] bytes, int from, Changes changes) throws RequestException {
        if (!lists.begin(in)) {
            return false;
        }
        int list = lists.next(in);
        while (list >= 0) {
            if (list == LISTS.length || !in.isNext('[')) {
                return isOther(bytes, from, list);
            }
            if (!items(bytes, list, changes)) {
                return false;
            }
            list = lists.next(in);
        }
        return list == Members.END;
    }

    /** Refuses a member that is not a list of changes; returns false if its value is not even JSON. */
    private boolean isOther(byte[] bytes, int from, int list) throws RequestException {
        boolean isKnown = list < LISTS.length;
        String name = RequestException.shown(in.string());
        int begin = isKnown ? in.at() : in.from() - 1;
        if (!in.beginsValue()) {
            return false;
        }
        throw Json.bad(
                isKnown ? "a list is expected: name=" + name : "no such name: '" + name + "'; known are put and remove",
                bytes,
                from,
                begin);
    }

    /** Reads a list of changes; returns false if it is not JSON. */
    private boolean items(byte[] bytes, int list, Changes changes) throws RequestException {
        if (!in.open('[')) {
            return false;
        }
        if (in.close(']')) {
            return true;
        }
        do {
            if (changes.put.size() + changes.removed.size() >= mostItems) {
                if (!in.beginsValue()) {
                    return false;
                }
                throw RequestException.bad("", "more than " + mostItems + " changes");
            }
            int begin = in.at();
            try {
                if (!(list == PUT ? put(changes.put) : remove(changes.removed))) {
                    return false;
                }
            } catch (RequestException e) {
                if (json.find(bytes, begin, in.at()) != null) {
                    return false; // two members of one name
                }
                throw e;
            }
        } while (in.take(','));
        return in.close(']');
    }

    private boolean put(List<Price> put) throws RequestException {
        Price price = prices.read(in, LISTS[PUT], put.size());
        return price != null && put.add(price);
    }

    private boolean remove(List<Removed> removed) throws RequestException {
        if (!removal.read(in, "remove", removed.size())) {
            return false;
        }
        removal.checkNames();
        return removed.add(new Removed(removal.needed(OFFERING), removal.needed(ID)));
    }
}
