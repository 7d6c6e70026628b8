package dev.touchstone.serialization.hazelcast;

import dev.touchstone.serialization.GenericView;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds all schemas that a record refers to. */
final class Schemas {
    private Schemas() {}

    /** Calls with the schema of a record and those of the records inside it, as often as they come. */
    static void of(GenericView record, Consumer<Schema> each) {
        Schema schema = record.schema();
        each.accept(schema);
        List<FieldDescriptor> fields = schema.fields();
        for (int field = 0; field < fields.size(); field++) {
            FieldKind kind = fields.get(field).kind();
            if (kind == FieldKind.COMPACT) {
                inside(record.reader().readView(field), each);
            } else if (kind == FieldKind.ARRAY_OF_COMPACT) {
                @Nullable GenericView @Nullable [] views = record.reader().readArrayOfViews(field);
                if (views != null) {
                    for (GenericView view : views) {
                        inside(view, each);
                    }
                }
            }
        }
    }

    private static void inside(@Nullable GenericView record, Consumer<Schema> each) {
        if (record != null) {
            of(record, each);
        }
    }
}
