package dev.touchstone.index.server.api.v2;

import dev.touchstone.index.Explanation;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Response;
import dev.touchstone.index.server.api.json.Json;
import dev.touchstone.index.server.api.json.QueryReader;
import java.util.List;

/** The handler of {@code /v2/explain}, which tells how a search is done, and which condition leaves no price. */
public final class ExplainHandler implements Handler {
    private final PriceIndex index;
    private final QueryReader reader;

    public ExplainHandler(PriceService service, Json json) {
        index = service.index();
        reader = new QueryReader(service, json);
    }

    /** Returns the handler of {@code /v2/explain/bulk}. */
    public static Handler bulk(PriceService service, Json json) {
        PriceIndex index = service.index();
        return new BulkHandler(
                service, json, (query, answer) -> members(index.explain(query, answer::isStopped), query, answer));
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Response answer) {
        if (!reader.read(bytes, from, to, answer)) {
            return;
        }
        Explanation explanation = index.explain(reader.query(), answer::isStopped);
        answer.version(explanation.version());
        answer.put('{');
        members(explanation, reader.query(), answer);
        answer.put('}').put('\n');
    }

    /** Writes the members of an object. */
    private static void members(Explanation explanation, PriceQuery query, Response answer) {
        answer.ascii("\"version\":")
                .digits(explanation.version())
                .ascii(",\"plan\":")
                .json(explanation.plan().name())
                .ascii(",\"steps\":[");
        boolean isFirst = true;
        for (Explanation.Step step : explanation.steps()) {
            if (!isFirst) {
                answer.put(',');
            }
            isFirst = false;
            step(step, answer);
        }
        answer.put(']');
        if (query.policy() == MatchPolicy.SPECIFIC) {
            ranks(explanation.ranks(), answer);
        }
        if (explanation.killer().isPresent()) {
            answer.ascii(",\"killer\":");
            step(explanation.killer().get(), answer);
        }
    }

    private static void ranks(List<Explanation.Rank> ranks, Response answer) {
        answer.ascii(",\"ranks\":[");
        for (int i = 0; i < ranks.size(); i++) {
            answer.ascii(i == 0 ? "{\"fields\":[" : ",{\"fields\":[");
            List<String> fields = ranks.get(i).fields();
            for (int field = 0; field < fields.size(); field++) {
                if (field > 0) {
                    answer.put(',');
                }
                answer.json(fields.get(field));
            }
            answer.ascii("],\"matches\":").digits(ranks.get(i).matches()).put('}');
        }
        answer.put(']');
    }

    private static void step(Explanation.Step step, Response answer) {
        answer.ascii("{\"condition\":")
                .json(step.condition())
                .ascii(",\"alone\":")
                .digits(step.alone())
                .ascii(",\"remaining\":")
                .digits(step.remaining())
                .put('}');
    }
}
