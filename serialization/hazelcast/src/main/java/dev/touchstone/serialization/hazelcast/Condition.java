package dev.touchstone.serialization.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import dev.touchstone.serialization.RecordView;
import dev.touchstone.serialization.schema.FieldKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What a field's value must be. Immutable. */
sealed interface Condition {
    /** How a condition is told from others on the wire. */
    byte kind();

    /** Whether a field of this kind can be compared. */
    boolean takes(FieldKind field);

    /** Whether the value of a field that is not null fits. */
    boolean matches(RecordView record, int field, FieldKind kind);

    void write(ObjectDataOutput out) throws IOException;

    static Condition read(ObjectDataInput in) throws IOException {
        byte kind = in.readByte();
        return switch (kind) {
            case Text.KIND -> new Text(string(in));
            case TextRange.KIND -> new TextRange(string(in), string(in));
            case Whole.KIND -> new Whole(in.readLong(), in.readLong());
            case Real.KIND -> new Real(in.readDouble(), in.readDouble());
            case Flag.KIND -> new Flag(in.readBoolean());
            default -> throw new IOException("unknown condition: kind=" + kind);
        };
    }

    private static String string(ObjectDataInput in) throws IOException {
        String value = in.readString();
        if (value == null) {
            throw new IOException("condition without a text");
        }
        return value;
    }

    /** Equal to a string, without making one of the record's bytes. */
    final class Text implements Condition {
        static final byte KIND = 1;

        private final String value;
        private final byte[] utf8;

        Text(String value) {
            this.value = value;
            utf8 = value.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte kind() {
            return KIND;
        }

        @Override
        public boolean takes(FieldKind field) {
            return field == FieldKind.STRING;
        }

        @Override
        public boolean matches(RecordView record, int field, FieldKind kind) {
            return record.stringEquals(field, utf8);
        }

        @Override
        public void write(ObjectDataOutput out) throws IOException {
            out.writeString(value);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Text text && value.equals(text.value);
        }

        @Override
        public int hashCode() {
            return value.hashCode();
        }

        @Override
        public String toString() {
            return "= " + value;
        }
    }

    /** A string between two, both included, as {@link String#compareTo} orders. */
    record TextRange(String from, String to) implements Condition {
        static final byte KIND = 2;

        @Override
        public byte kind() {
            return KIND;
        }

        @Override
        public boolean takes(FieldKind field) {
            return field == FieldKind.STRING;
        }

        @Override
        public boolean matches(RecordView record, int field, FieldKind kind) {
            String value = record.readString(field);
            return value != null && from.compareTo(value) <= 0 && value.compareTo(to) <= 0;
        }

        @Override
        public void write(ObjectDataOutput out) throws IOException {
            out.writeString(from);
            out.writeString(to);
        }

        @Override
        public String toString() {
            return "in [" + from + ", " + to + "]";
        }
    }

    /** An integer between two, both included. */
    record Whole(long from, long to) implements Condition {
        static final byte KIND = 3;

        @Override
        public byte kind() {
            return KIND;
        }

        @Override
        public boolean takes(FieldKind field) {
            return field.isReadableAs(FieldKind.INT64)
                    || field.isReadableAs(FieldKind.INT32)
                    || field.isReadableAs(FieldKind.INT16)
                    || field.isReadableAs(FieldKind.INT8);
        }

        @Override
        public boolean matches(RecordView record, int field, FieldKind kind) {
            long value = switch (kind) {
                case INT8, NULLABLE_INT8 -> record.readInt8(field);
                case INT16, NULLABLE_INT16 -> record.readInt16(field);
                case INT32, NULLABLE_INT32 -> record.readInt32(field);
                default -> record.readInt64(field);
            };
            return from <= value && value <= to;
        }

        @Override
        public void write(ObjectDataOutput out) throws IOException {
            out.writeLong(from);
            out.writeLong(to);
        }

        @Override
        public String toString() {
            return "in [" + from + ", " + to + "]";
        }
    }

    /** A floating-point number between two, both included; one that is none is between nothing. */
    record Real(double from, double to) implements Condition {
        static final byte KIND = 4;

        @Override
        public byte kind() {
            return KIND;
        }

        @Override
        public boolean takes(FieldKind field) {
            return field.isReadableAs(FieldKind.FLOAT64) || field.isReadableAs(FieldKind.FLOAT32);
        }

        @Override
        public boolean matches(RecordView record, int field, FieldKind kind) {
            double value = kind.isReadableAs(FieldKind.FLOAT64) ? record.readFloat64(field) : record.readFloat32(field);
            return from <= value && value <= to;
        }

        @Override
        public void write(ObjectDataOutput out) throws IOException {
            out.writeDouble(from);
            out.writeDouble(to);
        }

        @Override
        public String toString() {
            return "in [" + from + ", " + to + "]";
        }
    }

    /** Equal to a boolean. */
    record Flag(boolean value) implements Condition {
        static final byte KIND = 5;

        @Override
        public byte kind() {
            return KIND;
        }

        @Override
        public boolean takes(FieldKind field) {
            return field.isReadableAs(FieldKind.BOOLEAN);
        }

        @Override
        public boolean matches(RecordView record, int field, FieldKind kind) {
            return record.readBoolean(field) == value;
        }

        @Override
        public void write(ObjectDataOutput out) throws IOException {
            out.writeBoolean(value);
        }

        @Override
        public String toString() {
            return "= " + value;
        }
    }
}
