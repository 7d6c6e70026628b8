package dev.touchstone.index.server.api.v2;

import dev.touchstone.index.Facet;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.UnknownFieldException;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.RequestException;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.json.Json;
import dev.touchstone.index.server.api.json.JsonLexer;
import dev.touchstone.index.server.api.json.JsonLexer.Kind;
import dev.touchstone.index.server.api.json.Members;
import dev.touchstone.index.server.api.json.QueryReader;
import java.util.ArrayList;
import java.util.List;

/** The handler of {@code /v2/count}, which counts the prices that match a query, and those of them that have each value of some fields. */
public final class CountHandler implements Handler {
    private static final int FACETS = QueryReader.FIRST_MORE;
    private static final int FIELD = 0;
    private static final int TOP = 1;
    private static final int USUAL_TOP = 10;

    private final PriceIndex index;
    private final Limits limits;
    private final QueryReader reader;
    private final Members facet = new Members("field", "top");
    private final List<String> names = new ArrayList<>();
    private final List<Integer> tops = new ArrayList<>();

    /** Creates a handler; the parsers of {@code json} tell the faults of requests. */
    public CountHandler(PriceService service, Json json) {
        index = service.index();
        limits = service.limits();
        reader = new QueryReader(service, json, "facets");
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Response answer) {
        if (!reader.read(bytes, from, to, answer)) {
            return;
        }
        try {
            readFacets(bytes);
            count(answer);
        } catch (InvalidValueException e) {
            reader.refuse(RequestException.unfit("facets", e), bytes, from, to, answer);
        } catch (RequestException e) {
            reader.refuse(e, bytes, from, to, answer);
        }
    }

    private void readFacets(byte[] bytes) throws RequestException {
        names.clear();
        tops.clear();
        Members search = reader.members();
        if (search.isAbsent(FACETS)) {
            return;
        }
        if (search.kind(FACETS) != Kind.ARRAY) {
            throw search.bad(FACETS, "a list is expected");
        }
        JsonLexer in = new JsonLexer(limits.depth());
        in.begin(bytes, search.from(FACETS) + 1, search.to(FACETS));
        if (in.isNext(']')) {
            return;
        }
        do {
            if (names.size() >= limits.conditions()) {
                throw search.bad(FACETS, "more than " + limits.conditions() + " facets");
            }
            if (!facet.read(in, "facets", names.size())) {
                throw search.bad(FACETS, "a name stands twice in an object");
            }
            facet.checkNames();
            String name = facet.needed(FIELD);
            try {
                names.add(index.field(name).name());
            } catch (UnknownFieldException e) {
                throw RequestException.unfit(facet.path(), e);
            }
            tops.add(QueryReader.whole(facet, TOP, bytes, 0, limits.items(), Math.min(USUAL_TOP, limits.items())));
        } while (in.take(','));
    }

    private void count(Response answer) {
        PriceIndex at = index.copy(); // one version for all counts
        int top = tops.stream().mapToInt(Integer::intValue).max().orElse(0);
        List<Facet> facets = names.isEmpty() ? List.of() : at.facets(reader.query(), names, top, answer::isStopped);
        long matches = at.count(reader.query(), answer::isStopped);
        answer.version(at.version());
        answer.ascii("{\"version\":")
                .digits(at.version())
                .ascii(",\"matches\":")
                .digits(matches)
                .ascii(",\"facets\":[");
        for (int i = 0; i < facets.size(); i++) {
            answer.checkStopped();
            answer.ascii(i == 0 ? "" : ",");
            write(facets.get(i), tops.get(i), answer);
        }
        answer.put(']').put('}').put('\n');
    }

    private static void write(Facet facet, int top, Response answer) {
        answer.ascii("{\"field\":").json(facet.field().name()).ascii(",\"values\":[");
        for (int i = 0; i < Math.min(top, facet.values().size()); i++) {
            answer.ascii(i == 0 ? "{\"value\":" : ",{\"value\":");
            Results.value(facet.values().get(i).value(), answer);
            answer.ascii(",\"prices\":").digits(facet.values().get(i).prices()).put('}');
        }
        answer.ascii("],\"distinct\":")
                .digits(facet.distinct())
                .ascii(",\"missing\":")
                .digits(facet.missing())
                .put('}');
    }
}
