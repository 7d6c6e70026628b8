package dev.touchstone.index.server.api;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.IndexStats;
import dev.touchstone.index.PriceIndex;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The handler of {@code /v2/index}, which describes the fields of the index and its size. */
final class IndexHandler implements Handler {
    private final PriceIndex index;
    private final Json json;

    IndexHandler(PriceService service) {
        index = service.index();
        json = service.json();
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Answer answer) {
        IndexStats stats = index.stats();
        answer.version(stats.version());
        try (JsonGenerator out = json.generator(answer)) {
            out.writeStartObject();
            out.writeNumberField("version", stats.version());
            out.writeNumberField("prices", stats.prices());
            out.writeNumberField("offerings", stats.offerings());
            out.writeNumberField("values", stats.values());
            out.writeStringField("engine", index.engine().name());
            out.writeStringField("key", index.keyField());
            out.writeArrayFieldStart("fields");
            for (Field field : index.fields()) {
                out.writeStartObject();
                out.writeStringField("name", field.name());
                out.writeStringField("type", field.type().name());
                if (field.type() == FieldType.DECIMAL) {
                    out.writeNumberField("scale", field.scale());
                }
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // never thrown, because an answer is in memory
        }
        answer.put('\n');
    }
}
