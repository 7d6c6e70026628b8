package dev.touchstone.index.server.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.touchstone.index.Explanation;
import dev.touchstone.index.PriceIndex;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The handler of {@code /v2/explain}, which tells how a search is done, and which condition leaves no price. */
final class ExplainHandler implements Handler {
    private final PriceIndex index;
    private final Json json;
    private final QueryReader reader;

    ExplainHandler(PriceService service) {
        index = service.index();
        json = service.json();
        reader = new QueryReader(service);
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Answer answer) {
        if (!reader.read(bytes, from, to, answer)) {
            return;
        }
        Explanation explanation = index.explain(reader.query(), answer::isStopped);
        answer.version(explanation.version());
        try (JsonGenerator out = json.generator(answer)) {
            out.writeStartObject();
            out.writeNumberField("version", explanation.version());
            out.writeStringField("engine", explanation.engine().name());
            out.writeStringField("plan", explanation.plan().name());
            out.writeArrayFieldStart("steps");
            for (Explanation.Step step : explanation.steps()) {
                step(step, out);
            }
            out.writeEndArray();
            if (explanation.killer().isPresent()) {
                out.writeFieldName("killer");
                step(explanation.killer().get(), out);
            }
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // never thrown, because an answer is in memory
        }
        answer.put('\n');
    }

    private static void step(Explanation.Step step, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField("condition", step.condition());
        out.writeNumberField("alone", step.alone());
        out.writeNumberField("remaining", step.remaining());
        out.writeEndObject();
    }
}
