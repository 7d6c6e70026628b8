package dev.touchstone.serialization;

import dev.touchstone.serialization.exception.CompactFieldException;
import dev.touchstone.serialization.layout.OffsetTable;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.KindId;
import dev.touchstone.serialization.schema.RecordLayout;
import dev.touchstone.serialization.schema.Schema;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A writer of records by the indexes of their fields, each of which must be written once, in any order. */
final class RecordWriter implements CompactWriter {
    /*
     * Who calls:   one thread at a time; a codec, while it is on the stack.
     * Invariants:  out.slots[slotBase + field] is the state of each field of the current record: not written, begun, written, null, or the
     *              offset of its value. `written` counts the fields whose values are complete.
     * Failure:     an exception leaves the state as it is; Output.clear() clears it. A codec that catches the exception cannot end its record:
     *              the field stays begun, and is neither written again nor counted.
     */
    private static final int WRITTEN = 0;
    private static final int UNWRITTEN = Integer.MIN_VALUE;
    private static final int BEGUN = UNWRITTEN + 1;
    private static final Schema NOTHING = Schema.builder("").build();

    private final Output out;
    private Schema schema = NOTHING;
    private byte[] kinds = NOTHING.layout().kinds;
    private int[] places = NOTHING.layout().places;
    private int slotBase;
    private int dataStart;
    private int written;

    RecordWriter(Output out) {
        this.out = out;
    }

    /** Forgets the current record. */
    void clear() {
        use(NOTHING);
    }

    /** Writes a record behind the bytes that {@code out} has. */
    <T> void write(T value, CompactCodec<T> codec) {
        Schema outerSchema = schema;
        int outerSlots = slotBase;
        int outerStart = dataStart;
        int outerWritten = written;
        int level = out.depth;
        begin(codec.schema());
        codec.write(this, value);
        out.requireAllWritten(level, codec);
        end();
        out.slotTop = slotBase;
        slotBase = outerSlots;
        dataStart = outerStart;
        written = outerWritten;
        use(outerSchema);
    }

    private void use(Schema next) {
        schema = next;
        RecordLayout layout = next.layout();
        kinds = layout.kinds;
        places = layout.places;
    }

    private void begin(Schema next) {
        use(next);
        slotBase = out.pushSlots(kinds.length);
        Arrays.fill(out.slots, slotBase, out.slotTop, UNWRITTEN);
        written = 0;
        RecordLayout layout = next.layout();
        dataStart = layout.variableFields.length == 0
                ? out.beginFixed(next.id(), layout.fixedBytes)
                : out.begin(next.id(), layout.fixedBytes);
        Arrays.fill(out.buffer, dataStart + layout.booleansAt, dataStart + layout.fixedBytes, (byte) 0);
    }

    private void end() {
        if (written != kinds.length) {
            throw unwritten();
        }
        int[] variable = schema.layout().variableFields;
        if (variable.length == 0) {
            return;
        }
        int table = out.endData(dataStart, variable.length);
        int shift = Output.shift(dataStart, table);
        for (int i = 0; i < variable.length; i++) {
            out.putOffset(table, shift, i, out.slots[slotBase + variable[i]]);
        }
    }

    /** Marks a field as written, with its state: {@link #WRITTEN} or null. */
    private void mark(int field, byte kind, int state) {
        claim(field, kind, state);
        written++;
    }

    /** Sets the state of a field, after checking its kind and that nothing was written to it. */
    private void claim(int field, byte kind, int state) {
        if (kinds[field] != kind) {
            throw unfit(
                    "written as another kind: written=" + FieldKind.ofId(kind).orElseThrow(), field);
        }
        int at = slotBase + field;
        if (out.slots[at] != UNWRITTEN) {
            throw unfit("written twice:", field);
        }
        out.slots[at] = state;
    }

    /** Marks a field as begun. Returns the offset of the value that the caller writes next, before {@link #finish}. */
    private int start(int field, byte kind) {
        claim(field, kind, BEGUN);
        return out.position - dataStart;
    }

    /** Marks a field that was begun as written. */
    private void finish(int field, int offset) {
        out.slots[slotBase + field] = offset;
        written++;
    }

    /** Marks a field of the fixed region as written, and returns the offset of its value. */
    private int fixed(int field, byte kind) {
        mark(field, kind, WRITTEN);
        return dataStart + places[field];
    }

    private <T> void value(int field, byte kind, @Nullable T value, ValueFormat<T> format) {
        if (value == null) {
            mark(field, kind, OffsetTable.NULL);
            return;
        }
        int offset = start(field, kind);
        format.write(out, value);
        finish(field, offset);
    }

    private <T> void items(int field, byte kind, @Nullable T @Nullable [] values, ValueFormat<T> format) {
        if (values == null) {
            mark(field, kind, OffsetTable.NULL);
            return;
        }
        int offset = start(field, kind);
        out.items(values, format);
        finish(field, offset);
    }

    private CompactFieldException unwritten() {
        int field = 0;
        while (out.slots[slotBase + field] > BEGUN) {
            field++;
        }
        return unfit(
                out.slots[slotBase + field] == BEGUN ? "not written, since its value failed:" : "not written:", field);
    }

    private CompactFieldException unfit(String what, int field) {
        return new CompactFieldException(
                what + " kind=" + schema.field(field).kind(),
                schema.typeName(),
                schema.field(field).name());
    }

    @Override
    public int indexOf(String field) {
        int index = schema.indexOf(field);
        if (index < 0) {
            throw new CompactFieldException("not in the schema:", schema.typeName(), field);
        }
        return index;
    }

    @Override
    public void writeBoolean(int field, boolean value) {
        mark(field, KindId.BOOLEAN, WRITTEN);
        int place = places[field];
        out.buffer[dataStart + RecordLayout.byteOf(place)] |= (byte) ((value ? 1 : 0) << RecordLayout.bitOf(place));
    }

    @Override
    public void writeInt8(int field, byte value) {
        out.putInt8(fixed(field, KindId.INT8), value);
    }

    @Override
    public void writeInt16(int field, short value) {
        out.putInt16(fixed(field, KindId.INT16), value);
    }

    @Override
    public void writeInt32(int field, int value) {
        out.putInt32(fixed(field, KindId.INT32), value);
    }

    @Override
    public void writeInt64(int field, long value) {
        out.putInt64(fixed(field, KindId.INT64), value);
    }

    @Override
    public void writeFloat32(int field, float value) {
        out.putFloat32(fixed(field, KindId.FLOAT32), value);
    }

    @Override
    public void writeFloat64(int field, double value) {
        out.putFloat64(fixed(field, KindId.FLOAT64), value);
    }

    @Override
    public void writeString(int field, @Nullable String value) {
        value(field, KindId.STRING, value, ValueFormat.STRING);
    }

    @Override
    public void writeDecimal(int field, @Nullable BigDecimal value) {
        value(field, KindId.DECIMAL, value, ValueFormat.DECIMAL);
    }

    @Override
    public void writeTime(int field, @Nullable LocalTime value) {
        value(field, KindId.TIME, value, ValueFormat.TIME);
    }

    @Override
    public void writeDate(int field, @Nullable LocalDate value) {
        value(field, KindId.DATE, value, ValueFormat.DATE);
    }

    @Override
    public void writeTimestamp(int field, @Nullable LocalDateTime value) {
        value(field, KindId.TIMESTAMP, value, ValueFormat.TIMESTAMP);
    }

    @Override
    public void writeTimestampWithTimezone(int field, @Nullable OffsetDateTime value) {
        value(field, KindId.TIMESTAMP_WITH_TIMEZONE, value, ValueFormat.TIMESTAMP_WITH_TIMEZONE);
    }

    @Override
    public void writeNullableBoolean(int field, @Nullable Boolean value) {
        value(field, KindId.NULLABLE_BOOLEAN, value, ValueFormat.BOOLEAN);
    }

    @Override
    public void writeNullableInt8(int field, @Nullable Byte value) {
        value(field, KindId.NULLABLE_INT8, value, ValueFormat.INT8);
    }

    @Override
    public void writeNullableInt16(int field, @Nullable Short value) {
        value(field, KindId.NULLABLE_INT16, value, ValueFormat.INT16);
    }

    @Override
    public void writeNullableInt32(int field, @Nullable Integer value) {
        value(field, KindId.NULLABLE_INT32, value, ValueFormat.INT32);
    }

    @Override
    public void writeNullableInt64(int field, @Nullable Long value) {
        value(field, KindId.NULLABLE_INT64, value, ValueFormat.INT64);
    }

    @Override
    public void writeNullableFloat32(int field, @Nullable Float value) {
        value(field, KindId.NULLABLE_FLOAT32, value, ValueFormat.FLOAT32);
    }

    @Override
    public void writeNullableFloat64(int field, @Nullable Double value) {
        value(field, KindId.NULLABLE_FLOAT64, value, ValueFormat.FLOAT64);
    }

    @Override
    public void writeArrayOfBoolean(int field, boolean @Nullable [] value) {
        value(field, KindId.ARRAY_OF_BOOLEAN, value, ArrayFormat.ARRAY_OF_BOOLEAN);
    }

    @Override
    public void writeArrayOfInt8(int field, byte @Nullable [] value) {
        value(field, KindId.ARRAY_OF_INT8, value, ArrayFormat.ARRAY_OF_INT8);
    }

    @Override
    public void writeArrayOfInt16(int field, short @Nullable [] value) {
        value(field, KindId.ARRAY_OF_INT16, value, ArrayFormat.ARRAY_OF_INT16);
    }

    @Override
    public void writeArrayOfInt32(int field, int @Nullable [] value) {
        value(field, KindId.ARRAY_OF_INT32, value, ArrayFormat.ARRAY_OF_INT32);
    }

    @Override
    public void writeArrayOfInt64(int field, long @Nullable [] value) {
        value(field, KindId.ARRAY_OF_INT64, value, ArrayFormat.ARRAY_OF_INT64);
    }

    @Override
    public void writeArrayOfFloat32(int field, float @Nullable [] value) {
        value(field, KindId.ARRAY_OF_FLOAT32, value, ArrayFormat.ARRAY_OF_FLOAT32);
    }

    @Override
    public void writeArrayOfFloat64(int field, double @Nullable [] value) {
        value(field, KindId.ARRAY_OF_FLOAT64, value, ArrayFormat.ARRAY_OF_FLOAT64);
    }

    @Override
    public void writeArrayOfString(int field, @Nullable String @Nullable [] value) {
        items(field, KindId.ARRAY_OF_STRING, value, ValueFormat.STRING);
    }

    @Override
    public void writeArrayOfDecimal(int field, @Nullable BigDecimal @Nullable [] value) {
        items(field, KindId.ARRAY_OF_DECIMAL, value, ValueFormat.DECIMAL);
    }

    @Override
    public void writeArrayOfTime(int field, @Nullable LocalTime @Nullable [] value) {
        items(field, KindId.ARRAY_OF_TIME, value, ValueFormat.TIME);
    }

    @Override
    public void writeArrayOfDate(int field, @Nullable LocalDate @Nullable [] value) {
        items(field, KindId.ARRAY_OF_DATE, value, ValueFormat.DATE);
    }

    @Override
    public void writeArrayOfTimestamp(int field, @Nullable LocalDateTime @Nullable [] value) {
        items(field, KindId.ARRAY_OF_TIMESTAMP, value, ValueFormat.TIMESTAMP);
    }

    @Override
    public void writeArrayOfTimestampWithTimezone(int field, @Nullable OffsetDateTime @Nullable [] value) {
        items(field, KindId.ARRAY_OF_TIMESTAMP_WITH_TIMEZONE, value, ValueFormat.TIMESTAMP_WITH_TIMEZONE);
    }

    @Override
    public void writeArrayOfNullableBoolean(int field, @Nullable Boolean @Nullable [] value) {
        items(field, KindId.ARRAY_OF_NULLABLE_BOOLEAN, value, ValueFormat.BOOLEAN);
    }

    @Override
    public void writeArrayOfNullableInt8(int field, @Nullable Byte @Nullable [] value) {
        items(field, KindId.ARRAY_OF_NULLABLE_INT8, value, ValueFormat.INT8);
    }

    @Override
    public void writeArrayOfNullableInt16(int field, @Nullable Short @Nullable [] value) {
        items(field, KindId.ARRAY_OF_NULLABLE_INT16, value, ValueFormat.INT16);
    }

    @Override
    public void writeArrayOfNullableInt32(int field, @Nullable Integer @Nullable [] value) {
        items(field, KindId.ARRAY_OF_NULLABLE_INT32, value, ValueFormat.INT32);
    }

    @Override
    public void writeArrayOfNullableInt64(int field, @Nullable Long @Nullable [] value) {
        items(field, KindId.ARRAY_OF_NULLABLE_INT64, value, ValueFormat.INT64);
    }

    @Override
    public void writeArrayOfNullableFloat32(int field, @Nullable Float @Nullable [] value) {
        items(field, KindId.ARRAY_OF_NULLABLE_FLOAT32, value, ValueFormat.FLOAT32);
    }

    @Override
    public void writeArrayOfNullableFloat64(int field, @Nullable Double @Nullable [] value) {
        items(field, KindId.ARRAY_OF_NULLABLE_FLOAT64, value, ValueFormat.FLOAT64);
    }

    @Override
    public <T> void writeCompact(int field, @Nullable T value, CompactCodec<T> codec) {
        if (value == null) {
            mark(field, KindId.COMPACT, OffsetTable.NULL);
            return;
        }
        int offset = start(field, KindId.COMPACT);
        out.record(value, codec);
        finish(field, offset);
    }

    @Override
    public <T> void writeArrayOfCompact(int field, @Nullable T @Nullable [] value, CompactCodec<T> codec) {
        if (value == null) {
            mark(field, KindId.ARRAY_OF_COMPACT, OffsetTable.NULL);
            return;
        }
        int offset = start(field, KindId.ARRAY_OF_COMPACT);
        out.records(value, codec);
        finish(field, offset);
    }
}
