package dev.touchstone.serialization.hazelcast;

import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.RecordView;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One field of many records: for each schema that was met a view and where the field is in it. For one thread. */
final class FieldViews {
    private static final int SCHEMA_ID_AT = 8;

    private final CompactSerialization serialization;
    private final String fieldName;
    private final Map<Long, FieldView> views = new HashMap<>();
    private @Nullable FieldView last;

    FieldViews(CompactSerialization serialization, String fieldName) {
        this.serialization = serialization;
        this.fieldName = fieldName;
    }

    /** A field of the records with a schema; it may be missing there. */
    record FieldView(
            long schemaId,
            RecordView record,
            int field,
            @Nullable FieldKind kind) {}

    /** The field as the schema of a record has it. @throws dev.touchstone.serialization.CompactException if it is no record */
    FieldView of(byte[] record) {
        if (record.length < SCHEMA_ID_AT + Long.BYTES) {
            return find(record);
        }
        long id = ByteBuffer.wrap(record).getLong(SCHEMA_ID_AT);
        FieldView view = last;
        if (view == null || view.schemaId != id) {
            view = views.get(id);
            if (view == null) {
                view = find(record);
            }
            last = view;
        }
        return view;
    }

    private FieldView find(byte[] record) {
        Schema schema = serialization.view(record).schema();
        int field = schema.indexOf(fieldName);
        FieldView view = new FieldView(
                schema.id(),
                serialization.newRecordView(schema),
                field,
                field < 0 ? null : schema.field(field).kind());
        views.put(schema.id(), view);
        return view;
    }
}
