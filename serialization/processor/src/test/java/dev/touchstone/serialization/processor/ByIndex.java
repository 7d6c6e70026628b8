package dev.touchstone.serialization.processor;

import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactReader;
import dev.touchstone.serialization.CompactWriter;
import dev.touchstone.serialization.schema.Schema;

/** A generated codec without its straight way. */
record ByIndex(CompactCodec<Object> codec) implements CompactCodec<Object> {
    @Override
    public Class<Object> type() {
        return codec.type();
    }

    @Override
    public Schema schema() {
        return codec.schema();
    }

    @Override
    public void write(CompactWriter writer, Object value) {
        codec.write(writer, value);
    }

    @Override
    public Object read(CompactReader reader) {
        return codec.read(reader);
    }
}
