package dev.touchstone.index.server.api.v2;

import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.api.ContentType;
import dev.touchstone.index.server.api.PartHandler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.json.Json;
import dev.touchstone.index.server.api.json.QueryReader;
import java.util.Collections;
import java.util.Iterator;

/** The handler of {@code /v2/search/all}, which answers a query with all prices that match, one on each line and all of one version. */
public final class SearchAllHandler implements PartHandler {
    private static final int PART_BYTES = 32 << 10;

    private final PriceIndex index;
    private final QueryReader reader;
    private final Results results;
    private Iterator<Price> prices = Collections.emptyIterator();

    /** Creates a handler; the parsers of {@code json} tell the faults of requests. */
    public SearchAllHandler(PriceService service, Json json) {
        index = service.index();
        reader = new QueryReader(service, json);
        results = new Results(index);
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Response answer) {
        if (begin(bytes, from, to, answer)) {
            lines(Integer.MAX_VALUE, answer);
        }
    }

    @Override
    public boolean begin(byte[] bytes, int from, int to, Response answer) {
        if (!reader.read(bytes, from, to, answer)) {
            return false;
        }
        PriceIndex at = index.copy(); // which stays at one version
        prices = at.iterator(reader.query(), answer::isStopped);
        answer.version(at.version());
        answer.type(ContentType.JSON_LINES);
        return lines(PART_BYTES, answer);
    }

    @Override
    public boolean next(Response answer) {
        answer.truncate(0);
        return lines(PART_BYTES, answer);
    }

    /** Writes prices until the answer has {@code enough} bytes; returns whether there are more. */
    private boolean lines(int enough, Response answer) {
        while (answer.size() < enough && prices.hasNext()) {
            answer.checkStopped();
            results.price(prices.next(), answer);
            answer.put('\n');
        }
        return prices.hasNext();
    }
}
