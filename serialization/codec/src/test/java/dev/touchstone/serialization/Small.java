package dev.touchstone.serialization;

import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import org.jspecify.annotations.Nullable;

/** The small object of the seed's benchmark. */
record Small(
        int intField,
        double doubleField,
        long longField,
        @Nullable String stringField) {
    static final String LOREM = "Lorem ipsum dolor sit amet.";
    static final Small WRITTEN = new Small(42, -420.42, 1234567890, LOREM);
    static final String WRITTEN_BYTES =
            "00000000ffffffc9" + "1cf9e356336f1f23" + "00000033" + "c07a46b851eb851f" + "00000000499602d2" + "0000002a"
                    + "0000001b" + "4c6f72656d20697073756d20646f6c6f722073697420616d65742e" + "14";
    static final long SCHEMA_ID = 0x1cf9e356336f1f23L;

    /** As generated code would be: by index. */
    static final class Codec implements CompactCodec<Small> {
        static final Codec INSTANCE = new Codec();
        static final Schema SCHEMA = Schema.builder("small")
                .field("intField", FieldKind.INT32)
                .field("doubleField", FieldKind.FLOAT64)
                .field("longField", FieldKind.INT64)
                .field("stringField", FieldKind.STRING)
                .build();
        static final int DOUBLE = 0;
        static final int INT = 1;
        static final int LONG = 2;
        static final int STRING = 3;

        @Override
        public Class<Small> type() {
            return Small.class;
        }

        @Override
        public Schema schema() {
            return SCHEMA;
        }

        @Override
        public void write(CompactWriter writer, Small value) {
            writer.writeInt32(INT, value.intField);
            writer.writeFloat64(DOUBLE, value.doubleField);
            writer.writeInt64(LONG, value.longField);
            writer.writeString(STRING, value.stringField);
        }

        @Override
        public Small read(CompactReader reader) {
            return new Small(
                    reader.readInt32(INT),
                    reader.readFloat64(DOUBLE),
                    reader.readInt64(LONG),
                    reader.readString(STRING));
        }
    }
}
