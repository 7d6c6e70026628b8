package dev.touchstone.serialization.hazelcast;

import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactReader;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.CompactWriter;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;

/** A number, in records of as many schemas as a test wants. */
record Counter(int number) {
    /** A type with one number. */
    static Schema schema(String typeName) {
        return Schema.builder(typeName).field("number", FieldKind.INT32).build();
    }

    static byte[] record(Schema schema, int number) {
        return CompactSerialization.builder().build().encode(new Counter(number), new Codec(schema));
    }

    /** Writes records of a schema whose first field is the number. */
    record Codec(Schema schema) implements CompactCodec<Counter> {
        @Override
        public Class<Counter> type() {
            return Counter.class;
        }

        @Override
        public void write(CompactWriter writer, Counter value) {
            writer.writeInt32(0, value.number);
        }

        @Override
        public Counter read(CompactReader reader) {
            return new Counter(reader.readInt32(0));
        }
    }
}
