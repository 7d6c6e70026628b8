package dev.touchstone.index.server.api;

import dev.touchstone.index.Explanation;
import dev.touchstone.index.PriceIndex;

/** The handler of {@code /v2/explain}, which tells how a search is done, and which condition leaves no price. */
final class ExplainHandler implements Handler {
    private final PriceIndex index;
    private final QueryReader reader;

    ExplainHandler(PriceService service) {
        index = service.index();
        reader = new QueryReader(service);
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Answer answer) {
        if (!reader.read(bytes, from, to, answer)) {
            return;
        }
        Explanation explanation = index.explain(reader.query(), answer::isStopped);
        answer.version(explanation.version());
        answer.ascii("{\"version\":")
                .digits(explanation.version())
                .ascii(",\"engine\":")
                .json(explanation.engine().name())
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
        if (explanation.killer().isPresent()) {
            answer.ascii(",\"killer\":");
            step(explanation.killer().get(), answer);
        }
        answer.put('}').put('\n');
    }

    private static void step(Explanation.Step step, Answer answer) {
        answer.ascii("{\"condition\":")
                .json(step.condition())
                .ascii(",\"alone\":")
                .digits(step.alone())
                .ascii(",\"remaining\":")
                .digits(step.remaining())
                .put('}');
    }
}
