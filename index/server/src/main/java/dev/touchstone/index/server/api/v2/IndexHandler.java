package dev.touchstone.index.server.api.v2;

import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.IndexStats;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Response;

/** The handler of {@code /v2/index}, which describes the fields of the index and its size. */
public final class IndexHandler implements Handler {
    private final PriceIndex index;

    public IndexHandler(PriceService service) {
        index = service.index();
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Response answer) {
        IndexStats stats = index.stats();
        answer.version(stats.version());
        answer.ascii("{\"version\":")
                .digits(stats.version())
                .ascii(",\"prices\":")
                .digits(stats.prices())
                .ascii(",\"offerings\":")
                .digits(stats.offerings())
                .ascii(",\"values\":")
                .digits(stats.values())
                .ascii(",\"key\":")
                .json(index.keyField())
                .ascii(",\"fields\":[");
        for (Field field : index.fields()) {
            answer.ascii(field.ordinal() == 0 ? "{\"name\":" : ",{\"name\":")
                    .json(field.name())
                    .ascii(",\"type\":")
                    .json(field.type().name());
            if (field.type() == FieldType.DECIMAL) {
                answer.ascii(",\"scale\":").digits(field.scale());
            }
            answer.put('}');
        }
        answer.put(']').put('}').put('\n');
    }
}
