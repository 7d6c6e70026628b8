package dev.touchstone.serialization;

import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import org.jspecify.annotations.Nullable;

/** Writes and reads samples of one schema, by index or by name, in some order of the fields. */
final class SampleCodec implements CompactCodec<Sample> {
    private final Schema schema;
    private final int[] order;
    /** For each field that holds records their codec. */
    private final @Nullable SampleCodec[] inside;

    private final boolean isByName;

    SampleCodec(Schema schema, int[] order, @Nullable SampleCodec[] inside, boolean isByName) {
        this.schema = schema;
        this.order = order;
        this.inside = inside;
        this.isByName = isByName;
    }

    SampleCodec inside(int field) {
        SampleCodec codec = inside[field];
        if (codec == null) {
            throw new IllegalStateException("no codec for " + schema.field(field));
        }
        return codec;
    }

    @Override
    public Class<Sample> type() {
        return Sample.class;
    }

    @Override
    public Schema schema() {
        return schema;
    }

    int[] order() {
        return order;
    }

    @Override
    public void write(CompactWriter writer, Sample value) {
        for (int field : order) {
            int index = isByName ? writer.indexOf(schema.field(field).name()) : field;
            Values.write(writer, index, schema.field(field).kind(), value.values[field], inside[field]);
        }
    }

    @Override
    public Sample read(CompactReader reader) {
        @Nullable Object[] values = new @Nullable Object[order.length];
        for (int field : order) {
            int index = isByName ? reader.indexOf(schema.field(field).name()) : field;
            FieldKind kind = schema.field(field).kind();
            values[field] = Values.read(reader, index, kind, inside[field]);
        }
        return new Sample(schema, values);
    }
}
