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
 * A window that is laid over one record after the other, to read few fields of many records: it reads a number with one load, and compares a
 * string without making it. Indexes are those of the schema it was made for; records of other versions are read by name. Not
 * thread-safe; refers to the last bytes until it is laid over others.
 *
 * <p>Checks the value that is read and what leads to it, not the rest of the record: damage to other fields stays unseen here. {@link
 * #reader()} checks it all.
 */
public final class RecordView {
    private static final byte[] NO_BYTES = new byte[0];

    /** What {@link #find} gives for null, and for what it leaves to {@link #wrap}. */
    private static final int NULL = -1;

    private static final int UNSEEN = -2;

    /** In {@link #strings}. */
    private static final int NONE = -1;

    /** In front of the data of a record with a string. */
    private static final int STRAIGHT_BYTES =
            RecordLayout.HEADER_BYTES + RecordLayout.SCHEMA_ID_BYTES + RecordLayout.LENGTH_BYTES;

    private final Resolver resolver;
    private final Schema schema;
    private final long typeAndId; // the type's number and the first half of the schema's id, as they stand in a record
    private final long idRest; // the other half, in the upper half of this
    private final int[] strings; // by field of the schema, the offset table's entry of a string; NONE for other kinds
    private final int entries; // of the schema
    private final int fixedBytes; // of the schema
    private final int most; // bytes of a record behind STRAIGHT_BYTES, by the limit

    private byte[] bytes = NO_BYTES;
    private Schema record;
    private byte[] kinds;
    private int[] places;
    private int base;
    private int dataLength;
    private int tableAt;
    private int shift;
    private int follower; // the entry of the value that stood behind the last one that was read

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
     * @return this
     * @throws CompactException if it is none, has a schema that nobody knows, or is of another type; the view is then over nothing
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

    /** The schema of the record, which may be another version than that of this view. */
    public Schema recordSchema() {
        return record;
    }

    /** All fields of the record, by the indexes of this view's schema and by name; the whole record is checked. It may be kept. */
    public CompactReader reader() {
        return RecordReader.of(resolver, bytes, schema);
    }

    /** Whether the record has a field. */
    public boolean has(int field) {
        return kinds[own(field)] != KindId.NONE;
    }

    public boolean readBoolean(int field) {
        if (kinds[own(field)] != KindId.BOOLEAN) {
            return reader().readBoolean(field);
        }
        int place = places[field];
        return ((bytes[base + RecordLayout.byteOf(place)] >> RecordLayout.bitOf(place)) & 1) != 0;
    }

    public byte readInt8(int field) {
        return kinds[own(field)] == KindId.INT8 ? bytes[base + places[field]] : reader().readInt8(field);
    }

    public short readInt16(int field) {
        return kinds[own(field)] == KindId.INT16
                ? BigEndian.int16(bytes, base + places[field])
                : reader().readInt16(field);
    }

    public int readInt32(int field) {
        return kinds[own(field)] == KindId.INT32
                ? BigEndian.int32(bytes, base + places[field])
                : reader().readInt32(field);
    }

    public long readInt64(int field) {
        return kinds[own(field)] == KindId.INT64
                ? BigEndian.int64(bytes, base + places[field])
                : reader().readInt64(field);
    }

    public float readFloat32(int field) {
        return kinds[own(field)] == KindId.FLOAT32
                ? BigEndian.float32(bytes, base + places[field])
                : reader().readFloat32(field);
    }

    public double readFloat64(int field) {
        return kinds[own(field)] == KindId.FLOAT64
                ? BigEndian.float64(bytes, base + places[field])
                : reader().readFloat64(field);
    }

    public @Nullable String readString(int field) {
        int at = locate(field);
        if (at < 0) {
            return null;
        }
        int length = BigEndian.int32(bytes, at - Integer.BYTES);
        String value = Utf8.get(bytes, at, length);
        return value != null ? value : reader().readString(field); // which says what is wrong
    }

    /** As {@link #wrap} and {@link #readString(int)} for one field of a record, faster; this stays over what it is over, as a rule. */
    public @Nullable String readString(byte[] record, int field) {
        int at = find(record, field);
        if (at < 0) {
            return at == NULL ? null : wrap(record).readString(field);
        }
        String value = Utf8.get(record, at, BigEndian.int32(record, at - Integer.BYTES));
        return value != null ? value : wrap(record).readString(field);
    }

    /** As {@link #wrap} and {@link #stringEquals(int, byte[])} for one field of a record, faster; this stays over what it is over, as a rule. */
    public boolean stringEquals(byte[] record, int field, byte[] utf8) {
        int at = find(record, field);
        if (at < 0) {
            return at != NULL && wrap(record).stringEquals(field, utf8);
        }
        return BigEndian.int32(record, at - Integer.BYTES) == utf8.length && Utf8.isAt(record, at, utf8);
    }

    /** Where the bytes of a string begin in a record of this view's schema, all that leads to it checked; or {@link #NULL}, or {@link #UNSEEN}. */
    private int find(byte[] in, int field) {
        int entry = strings[field];
        int left = in.length - STRAIGHT_BYTES;
        if (left < 0 || left > most || entry == NONE || BigEndian.int64(in, RecordLayout.TYPE_AT) != typeAndId) {
            return UNSEEN;
        }
        // Only one length can be right. With that the table is found before the one in the bytes has come from memory.
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

    /** Whether a field without a fixed size is null. */
    public boolean isNull(int field) {
        byte kind = kinds[own(field)];
        if (kind == KindId.NONE) {
            throw unfit("not in the record:", field);
        }
        boolean isFixed = FieldKind.ofId(kind).orElseThrow().isFixed();
        return !isFixed && OffsetTable.get(bytes, tableAt, shift, places[field]) == OffsetTable.NULL;
    }

    /** Whether a string is one whose UTF-8 bytes are these: the fastest way to ask the same of many records. A null equals nothing. */
    public boolean stringEquals(int field, byte[] utf8) {
        int at = locate(field);
        return at >= 0 && BigEndian.int32(bytes, at - Integer.BYTES) == utf8.length && Utf8.isAt(bytes, at, utf8);
    }

    /** Whether a string is this one; made to bytes only where it has characters beyond ASCII. A null equals nothing. */
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

    /** Where the bytes of a string begin, behind their number, which is checked; -1 is null. */
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

    /** Whether another value begins at an offset, or the data ends there. Likely the same one as in the record before. */
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

    /** An index of this view's schema, not one of those that a projection has behind them. */
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
