package dev.touchstone.serialization;

import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.exception.CompactFieldException;
import dev.touchstone.serialization.exception.CompactFormatException;
import dev.touchstone.serialization.exception.CompactLimitException;
import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.layout.OffsetTable;
import dev.touchstone.serialization.layout.Utf8;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.KindId;
import dev.touchstone.serialization.schema.RecordLayout;
import dev.touchstone.serialization.schema.Schema;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A view that is laid over one record after the other, to read a few fields of many records: a number is read by one load, and a string is compared
 * without being decoded. Fields are selected by their indexes in the schema that the view was made for; in a record of another version the view finds
 * them by name. Not thread-safe. Refers to the bytes of the last record until it is laid over the next one.
 *
 * <p>Only the value that is read, and the lengths and offsets that lead to it, are checked. Damage to other fields goes unnoticed, unless {@link
 * #reader()} is called, which checks all offsets of the record.
 */
public final class RecordView {
    private static final byte[] NO_BYTES = new byte[0];

    /** Result of {@link #find} for a string that is null. */
    private static final int NULL = -1;

    /** Result of {@link #find} for a record that {@link #wrap} must check. */
    private static final int UNSEEN = -2;

    /** Entry of {@link #strings} for a field that is not a string. */
    private static final int NONE = -1;

    /** Length of all that stands in front of the data of a record with a string, in bytes. */
    private static final int STRAIGHT_BYTES =
            RecordLayout.HEADER_BYTES + RecordLayout.SCHEMA_ID_BYTES + RecordLayout.LENGTH_BYTES;

    private final Resolver resolver;
    private final Schema schema;
    private final long typeAndId; // number of the type and upper half of the schema's id, as they stand in a record
    private final long idRest; // lower half of the id, shifted to the upper half of this number
    private final int[] strings; // by field: entry of a string in the offset table, or NONE for other kinds
    private final int entries; // number of entries in an offset table of the schema
    private final int fixedBytes; // length of the fixed region of the schema
    private final int most; // maximum number of bytes of a record behind STRAIGHT_BYTES

    private byte[] bytes = NO_BYTES;
    private Schema record;
    private byte[] kinds;
    private int[] places;
    private int base;
    private int dataLength;
    private int tableAt;
    private int shift;
    private int follower; // entry of the value that stood behind the last value that was read

    RecordView(Resolver resolver, Schema schema) {
        this.resolver = resolver;
        this.schema = schema;
        typeAndId = ((long) RecordLayout.TYPE_COMPACT << Integer.SIZE) | (schema.id() >>> Integer.SIZE);
        idRest = schema.id() << Integer.SIZE;
        record = schema;
        RecordLayout layout = schema.layout();
        kinds = layout.kinds;
        places = layout.places;
        entries = layout.variableFields.length;
        fixedBytes = layout.fixedBytes;
        most = resolver.limits.maxBytes() - STRAIGHT_BYTES;
        strings = new int[kinds.length];
        for (int field = 0; field < strings.length; field++) {
            strings[field] = kinds[field] == KindId.STRING && most >= 0 ? places[field] : NONE;
        }
    }

    /**
     * Lays this view over a record.
     *
     * @param next header and record, not null; must not change while the view is laid over it
     * @return this view
     * @throws CompactException if the bytes are not a record, its schema is unknown, it is of another type, or it is longer than the limit; the view
     *     is then over no record
     */
    public RecordView wrap(byte[] next) {
        bytes = NO_BYTES;
        if (next.length > resolver.limits.maxBytes()) {
            throw new CompactLimitException("maxBytes", next.length, resolver.limits.maxBytes());
        }
        int from = RecordLayout.HEADER_BYTES + RecordLayout.SCHEMA_ID_BYTES;
        if (next.length < from || BigEndian.int32(next, RecordLayout.TYPE_AT) != RecordLayout.TYPE_COMPACT) {
            throw new CompactFormatException("no record: bytes=" + next.length, "", "", 0);
        }
        long id = BigEndian.int64(next, RecordLayout.HEADER_BYTES);
        if (id != record.id()) {
            use(id);
        }
        measure(next, from);
        bytes = next;
        return this;
    }

    private void use(long id) {
        if (id == schema.id()) {
            kinds = schema.layout().kinds;
            places = schema.layout().places;
            record = schema;
        } else {
            Schema other = resolver.schema(id, RecordLayout.HEADER_BYTES);
            Projection projection = resolver.projection(schema, other);
            kinds = projection.kinds;
            places = projection.places;
            record = other;
        }
    }

    private void measure(byte[] next, int from) {
        RecordLayout layout = record.layout();
        int entries = layout.variableFields.length;
        int start = from;
        int length = layout.fixedBytes;
        if (entries > 0) {
            start += RecordLayout.LENGTH_BYTES;
            length = start > next.length ? -1 : BigEndian.int32(next, from);
        }
        if (length < layout.fixedBytes || length + OffsetTable.bytes(length, entries) != next.length - start) {
            throw new CompactFormatException(
                    "data length does not fit: length=" + length + " bytes=" + next.length,
                    record.typeName(),
                    "",
                    from);
        }
        base = start;
        dataLength = length;
        tableAt = start + length;
        shift = OffsetTable.shift(length);
    }

    /**
     * Returns the schema of the record, which may be another version than the schema of this view.
     *
     * @return schema by which the record was written
     */
    public Schema recordSchema() {
        return record;
    }

    /**
     * Returns a reader of all fields of the record, by their indexes in the schema of this view and by name. The offsets of all values are checked.
     *
     * @return a new reader, which may be kept
     * @throws CompactException if the record is damaged
     */
    public CompactReader reader() {
        return RecordReader.of(resolver, bytes, schema);
    }

    /**
     * Returns whether the record has a field.
     *
     * @param field index of the field in the schema of this view
     * @return whether the record has a field of this name
     */
    public boolean has(int field) {
        return kinds[own(field)] != KindId.NONE;
    }

    /**
     * {@return the value of a field of the kind {@code BOOLEAN} or {@code NULLABLE_BOOLEAN}}
     *
     * @param field index of the field in the schema of this view
     * @throws CompactFieldException if the record does not have the field as one of these kinds, or the value is null
     */
    public boolean readBoolean(int field) {
        if (kinds[own(field)] != KindId.BOOLEAN) {
            return reader().readBoolean(field);
        }
        int place = places[field];
        return ((bytes[base + RecordLayout.byteOf(place)] >> RecordLayout.bitOf(place)) & 1) != 0;
    }

    /**
     * {@return the value of a field of the kind {@code INT8} or {@code NULLABLE_INT8}}
     *
     * @param field index of the field in the schema of this view
     * @throws CompactFieldException if the record does not have the field as one of these kinds, or the value is null
     */
    public byte readInt8(int field) {
        return kinds[own(field)] == KindId.INT8 ? bytes[base + places[field]] : reader().readInt8(field);
    }

    /**
     * {@return the value of a field of the kind {@code INT16} or {@code NULLABLE_INT16}}
     *
     * @param field index of the field in the schema of this view
     * @throws CompactFieldException if the record does not have the field as one of these kinds, or the value is null
     */
    public short readInt16(int field) {
        return kinds[own(field)] == KindId.INT16
                ? BigEndian.int16(bytes, base + places[field])
                : reader().readInt16(field);
    }

    /**
     * {@return the value of a field of the kind {@code INT32} or {@code NULLABLE_INT32}}
     *
     * @param field index of the field in the schema of this view
     * @throws CompactFieldException if the record does not have the field as one of these kinds, or the value is null
     */
    public int readInt32(int field) {
        return kinds[own(field)] == KindId.INT32
                ? BigEndian.int32(bytes, base + places[field])
                : reader().readInt32(field);
    }

    /**
     * {@return the value of a field of the kind {@code INT64} or {@code NULLABLE_INT64}}
     *
     * @param field index of the field in the schema of this view
     * @throws CompactFieldException if the record does not have the field as one of these kinds, or the value is null
     */
    public long readInt64(int field) {
        return kinds[own(field)] == KindId.INT64
                ? BigEndian.int64(bytes, base + places[field])
                : reader().readInt64(field);
    }

    /**
     * {@return the value of a field of the kind {@code FLOAT32} or {@code NULLABLE_FLOAT32}}
     *
     * @param field index of the field in the schema of this view
     * @throws CompactFieldException if the record does not have the field as one of these kinds, or the value is null
     */
    public float readFloat32(int field) {
        return kinds[own(field)] == KindId.FLOAT32
                ? BigEndian.float32(bytes, base + places[field])
                : reader().readFloat32(field);
    }

    /**
     * {@return the value of a field of the kind {@code FLOAT64} or {@code NULLABLE_FLOAT64}}
     *
     * @param field index of the field in the schema of this view
     * @throws CompactFieldException if the record does not have the field as one of these kinds, or the value is null
     */
    public double readFloat64(int field) {
        return kinds[own(field)] == KindId.FLOAT64
                ? BigEndian.float64(bytes, base + places[field])
                : reader().readFloat64(field);
    }

    /**
     * {@return the value of a field of the kind {@code STRING}, or null}
     *
     * @param field index of the field in the schema of this view
     * @throws CompactFieldException if the record does not have the field as a string
     * @throws CompactFormatException if the bytes of the value are damaged
     */
    public @Nullable String readString(int field) {
        int at = locate(field);
        if (at < 0) {
            return null;
        }
        int length = BigEndian.int32(bytes, at - Integer.BYTES);
        String value = Utf8.get(bytes, at, length);
        return value != null ? value : reader().readString(field); // which says what is wrong
    }

    /**
     * Returns the value of a string field of a record: faster than {@link #wrap} and {@link #readString(int)}, for one field of each record. The view
     * usually stays over the record that it was laid over before, but may end up over this one.
     *
     * @param record header and record, not null
     * @param field index of the field in the schema of this view
     * @return the value, or null
     * @throws CompactException if {@link #wrap} or {@link #readString(int)} would throw
     */
    public @Nullable String readString(byte[] record, int field) {
        int at = find(record, field);
        if (at < 0) {
            return at == NULL ? null : wrap(record).readString(field);
        }
        String value = Utf8.get(record, at, BigEndian.int32(record, at - Integer.BYTES));
        return value != null ? value : wrap(record).readString(field);
    }

    /**
     * Returns whether a string field of a record has a value: faster than {@link #wrap} and {@link #stringEquals(int, byte[])}, for one field of each
     * record. The view usually stays over the record that it was laid over before, but may end up over this one.
     *
     * @param record header and record, not null
     * @param field index of the field in the schema of this view
     * @param utf8 the value to compare with, in UTF-8
     * @return whether the field has the value; false for null
     * @throws CompactException if {@link #wrap} or {@link #stringEquals(int, byte[])} would throw
     */
    public boolean stringEquals(byte[] record, int field, byte[] utf8) {
        int at = find(record, field);
        if (at < 0) {
            return at != NULL && wrap(record).stringEquals(field, utf8);
        }
        return BigEndian.int32(record, at - Integer.BYTES) == utf8.length && Utf8.isAt(record, at, utf8);
    }

    /**
     * Returns the offset of the first byte of a string in a record of the schema of this view, after checking all that leads to it; or {@link #NULL},
     * or {@link #UNSEEN}.
     */
    private int find(byte[] in, int field) {
        int entry = strings[field];
        int left = in.length - STRAIGHT_BYTES;
        if (left < 0 || left > most || entry == NONE || BigEndian.int64(in, RecordLayout.TYPE_AT) != typeAndId) {
            return UNSEEN;
        }
        // Only one data length fits the record. With it the table is found before the length in the bytes is loaded.
        int length = OffsetTable.dataLength(left, entries);
        if (length < fixedBytes || BigEndian.int64(in, STRAIGHT_BYTES - Long.BYTES) != (idRest | length)) {
            return UNSEEN;
        }
        int width = OffsetTable.shift(length);
        int table = STRAIGHT_BYTES + length;
        int offset = OffsetTable.get(in, table, width, entry);
        if (offset < fixedBytes || offset > length - Integer.BYTES) {
            return offset == OffsetTable.NULL ? NULL : UNSEEN;
        }
        int at = STRAIGHT_BYTES + offset;
        int bytesOfString = BigEndian.int32(in, at);
        int behind = offset + Integer.BYTES + bytesOfString;
        if (bytesOfString < 0 || bytesOfString > length - offset - Integer.BYTES) {
            return UNSEEN;
        }
        boolean isFollowed =
                behind == length || (follower < entries && OffsetTable.get(in, table, width, follower) == behind);
        return isFollowed ? at + Integer.BYTES : UNSEEN;
    }

    /**
     * Returns whether a field is null.
     *
     * @param field index of the field in the schema of this view
     * @return whether the value is null; always false for a field of a fixed-size kind
     * @throws CompactFieldException if the record does not have the field
     */
    public boolean isNull(int field) {
        byte kind = kinds[own(field)];
        if (kind == KindId.NONE) {
            throw unfit("not in the record:", field);
        }
        boolean isFixed = FieldKind.ofId(kind).orElseThrow().isFixed();
        return !isFixed && OffsetTable.get(bytes, tableAt, shift, places[field]) == OffsetTable.NULL;
    }

    /**
     * Returns whether a string field has a value: the fastest way to compare a field of many records with the same value.
     *
     * @param field index of the field in the schema of this view
     * @param utf8 the value to compare with, in UTF-8
     * @return whether the field has the value; false for null
     * @throws CompactFieldException if the record does not have the field as a string
     * @throws CompactFormatException if the bytes that lead to the value are damaged
     */
    public boolean stringEquals(int field, byte[] utf8) {
        int at = locate(field);
        return at >= 0 && BigEndian.int32(bytes, at - Integer.BYTES) == utf8.length && Utf8.isAt(bytes, at, utf8);
    }

    /**
     * Returns whether a string field has a value. The value is encoded only if it has characters beyond ASCII.
     *
     * @param field index of the field in the schema of this view
     * @param value the value to compare with, not null
     * @return whether the field has the value; false for null
     * @throws CompactFieldException if the record does not have the field as a string
     * @throws CompactFormatException if the bytes that lead to the value are damaged
     */
    public boolean stringEquals(int field, String value) {
        int at = locate(field);
        if (at < 0) {
            return false;
        }
        int length = BigEndian.int32(bytes, at - Integer.BYTES);
        if (length < value.length()) {
            return false;
        }
        byte[] from = bytes;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c > '\u007f') {
                return stringEquals(field, value.getBytes(StandardCharsets.UTF_8));
            }
            if (from[at + i] != c) {
                return false;
            }
        }
        return length == value.length();
    }

    /** Returns the offset of the first byte of a string, behind its length, which is checked; -1 if the string is null. */
    private int locate(int field) {
        if (kinds[own(field)] != KindId.STRING) {
            throw unfit("not a string:", field);
        }
        int entry = places[field];
        int offset = OffsetTable.get(bytes, tableAt, shift, entry);
        if (offset == OffsetTable.NULL) {
            return -1;
        }
        int entryAt = tableAt + (entry << shift);
        if (offset < record.layout().fixedBytes || offset > dataLength - Integer.BYTES) {
            throw damaged("offset is outside: value=" + offset, field, entryAt);
        }
        int at = base + offset;
        int length = BigEndian.int32(bytes, at);
        int behind = offset + Integer.BYTES + length;
        if (length < 0 || behind < 0 || behind > dataLength || !isBoundary(behind, entry)) {
            throw damaged("length does not fit: length=" + length, field, at);
        }
        return at + Integer.BYTES;
    }

    /** Returns whether another value begins at an offset, or the data ends there. The value that did so in the record before is tried first. */
    private boolean isBoundary(int offset, int entry) {
        if (offset == dataLength) {
            return true;
        }
        int entries = record.layout().variableFields.length;
        if (follower < entries && OffsetTable.get(bytes, tableAt, shift, follower) == offset) {
            return follower != entry;
        }
        for (int i = 0; i < entries; i++) {
            if (i != entry && OffsetTable.get(bytes, tableAt, shift, i) == offset) {
                follower = i;
                return true;
            }
        }
        return false;
    }

    /** Returns the index of a field after checking that the schema of this view has it: a projection has further indexes behind those. */
    private int own(int field) {
        if (field >= schema.layout().kinds.length) {
            throw new IndexOutOfBoundsException(field);
        }
        return field;
    }

    private CompactFieldException unfit(String what, int field) {
        return new CompactFieldException(
                what, record.typeName(), schema.field(field).name());
    }

    private CompactFormatException damaged(String what, int field, int offset) {
        return new CompactFormatException(
                what, record.typeName(), schema.field(field).name(), offset);
    }
}
