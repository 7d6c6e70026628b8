package dev.touchstone.index.server.api.v2;

import dev.touchstone.index.IndexException;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PricePage;
import dev.touchstone.index.price.PricePage.Order;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.RequestException;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.json.Json;
import dev.touchstone.index.server.api.json.JsonLexer;
import dev.touchstone.index.server.api.json.JsonLexer.Kind;
import dev.touchstone.index.server.api.json.Members;
import dev.touchstone.index.server.api.json.QueryReader;

/** The handler of {@code /v2/search/page}, which answers a query with one page of the prices that match, in a stated order. */
public final class SearchPageHandler implements Handler {
    private static final int SORT = QueryReader.FIRST_MORE;
    private static final int CURSOR = SORT + 1;
    private static final int BY = 0;
    private static final int FIELD = 1;
    private static final int DESCENDING = 2;

    private final PriceIndex index;
    private final QueryReader reader;
    private final Results results;
    private final JsonLexer in;
    private final Members sort = new Members("by", "field", "descending");

    /** Creates a handler; the parsers of {@code json} tell the faults of requests. */
    public SearchPageHandler(PriceService service, Json json) {
        index = service.index();
        reader = new QueryReader(service, json, "sort", "cursor");
        results = new Results(index);
        in = new JsonLexer(service.limits().depth());
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Response answer) {
        if (!reader.read(bytes, from, to, answer)) {
            return;
        }
        try {
            write(page(bytes, answer), answer);
        } catch (RequestException e) {
            reader.refuse(e, bytes, from, to, answer);
        }
    }

    private PricePage page(byte[] bytes, Response answer) throws RequestException {
        Order order = order(bytes);
        String cursor = reader.members().text(CURSOR);
        try {
            return PricePage.of(index, reader.query(), order, cursor, answer::isStopped);
        } catch (InvalidValueException e) {
            throw RequestException.bad("cursor", String.valueOf(e.getMessage()));
        }
    }

    private Order order(byte[] bytes) throws RequestException {
        Members search = reader.members();
        if (search.isAbsent(SORT)) {
            return Order.byValue();
        }
        if (search.kind(SORT) != Kind.OBJECT) {
            throw search.bad(SORT, "an object is expected");
        }
        in.begin(bytes, search.from(SORT), search.to(SORT));
        if (!sort.read(in, "sort", -1)) {
            throw search.bad(SORT, "a name stands twice in an object");
        }
        sort.checkNames();
        Order order = sort.kind(FIELD) == Kind.NONE ? named() : ofField();
        return sort.isTrue(DESCENDING) ? order.descending() : order;
    }

    private Order named() throws RequestException {
        String name = sort.text(BY);
        if (name == null || name.equals("value")) {
            return Order.byValue();
        }
        if (name.equals("id")) {
            return Order.byId();
        }
        throw sort.bad(BY, "no such order: '" + RequestException.shown(name) + "'; known are value, id");
    }

    private Order ofField() throws RequestException {
        sort.checkNames(1 << FIELD | 1 << DESCENDING);
        try {
            return Order.by(index.field(sort.needed(FIELD)));
        } catch (IndexException e) {
            throw RequestException.unfit(sort.path("field"), e);
        }
    }

    private void write(PricePage page, Response answer) {
        answer.version(page.version());
        answer.ascii("{\"version\":")
                .digits(page.version())
                .ascii(page.isChanged() ? ",\"changed\":true" : ",\"changed\":false")
                .ascii(",\"prices\":[");
        String before = "";
        for (Price price : page.prices()) {
            answer.checkStopped();
            answer.ascii(before);
            results.price(price, answer);
            before = ",";
        }
        answer.put(']');
        String next = page.next();
        if (next != null) {
            answer.ascii(",\"next\":").json(next);
        }
        answer.put('}').put('\n');
    }
}
