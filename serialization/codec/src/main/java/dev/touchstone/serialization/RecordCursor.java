package dev.touchstone.serialization;

import dev.touchstone.serialization.ValueFormat.Damage;
import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.exception.CompactFieldException;
import dev.touchstone.serialization.exception.CompactFormatException;
import dev.touchstone.serialization.exception.CompactLimitException;
import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.layout.OffsetTable;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.KindId;
import dev.touchstone.serialization.schema.RecordLayout;
import dev.touchstone.serialization.schema.Schema;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A cursor that finds the fields of one record. The lengths and offsets in the bytes are checked here, so that the values of a record fill the
 * variable region exactly, each byte belonging to one value. See {@link RecordLayout} for the parts of a record.
 */
final class RecordCursor {
    /*
     * Who calls:   one thread at a time.
     * Invariants:  0 <= base <= base + dataLength <= end <= bytes.length; the fixed region is inside the data; every offset in the table
     *              is null or that of a byte of the variable region; one of them is that of its first byte.
     *              isSorted: offsets grow from entry to entry, so that a value ends where the next one begins.
     */
    private static final int NO_FIELD = -1;

    /** Number of entries up to which the entries are compared one by one. */
    private static final int MAX_SCANNED = 64;

    private static final Schema NOTHING = Schema.builder("").build();

    final Resolver resolver;
    final byte[] bytes;
    /** Number of records that are one inside the other up to this one, itself included. */
    final int depth;

    /** Schema of the record. */
    Schema record = NOTHING;

    /** Schema of the codec that reads the record: {@link #record}, or another version of it. */
    private Schema wanted = NOTHING;

    /** Kinds of fields by index: first the fields of {@link #wanted}, if it is another version, then those of the record. */
    byte[] kinds = NOTHING.layout().kinds;

    private int[] places = NOTHING.layout().places;
    private int base;
    /** Offset behind the record. */
    int end;

    /** Offset at which the value begins that was located last. */
    int at;

    /** Offset at which the value must end that was located last. */
    int until;

    private int dataLength;
    private int tableAt;
    private int shift;
    private boolean isSorted;
    /** Offsets in ascending order, without nulls, once they are needed: a record of many fields would else take time for each pair of them. */
    private int @Nullable [] ascending;

    /** Index of the field that was located last, for messages. */
    private int field = NO_FIELD;

    RecordCursor(Resolver resolver, byte[] bytes, int depth) {
        this.resolver = resolver;
        this.bytes = bytes;
        this.depth = depth;
    }

    /** Checks the length and the header of the whole array. Returns the offset at which the record begins. */
    int checkHeader() {
        if (bytes.length > resolver.limits.maxBytes()) {
            throw new CompactLimitException("maxBytes", bytes.length, resolver.limits.maxBytes());
        }
        if (bytes.length < RecordLayout.HEADER_BYTES) {
            throw damaged("no record: bytes=" + bytes.length, 0);
        }
        int type = BigEndian.int32(bytes, RecordLayout.TYPE_AT);
        if (type != RecordLayout.TYPE_COMPACT) {
            String what = type == RecordLayout.TYPE_COMPACT_WITH_SCHEMA ? "record with its schema inside" : "no record";
            throw damaged(what + ": kind=" + type + " expected=" + RecordLayout.TYPE_COMPACT, RecordLayout.TYPE_AT);
        }
        return RecordLayout.HEADER_BYTES;
    }

    /** Checks that no bytes follow the record. */
    void checkEnd() {
        if (end != bytes.length) {
            throw damaged("bytes behind the record: left=" + (bytes.length - end), end);
        }
    }

    /** Opens a record for a codec with a schema. */
    void open(Schema own, int from, int bound) {
        long id = enter(from, bound);
        if (id == own.id()) {
            use(own, own, own.layout().kinds, own.layout().places);
        } else {
            Schema other = resolver.schema(id, from);
            Projection projection = resolver.projection(own, other);
            use(other, own, projection.kinds, projection.places);
        }
        body(from + RecordLayout.SCHEMA_ID_BYTES, bound);
    }

    /** Opens a record of any type. */
    void openAny(int from, int bound) {
        Schema schema = resolver.schema(enter(from, bound), from);
        use(schema, schema, schema.layout().kinds, schema.layout().places);
        body(from + RecordLayout.SCHEMA_ID_BYTES, bound);
    }

    private long enter(int from, int bound) {
        if (depth > resolver.limits.maxDepth()) {
            throw new CompactLimitException("maxDepth", depth, resolver.limits.maxDepth());
        }
        if (bound - from < RecordLayout.SCHEMA_ID_BYTES) {
            throw damaged("record is cut off: left=" + (bound - from), from);
        }
        return BigEndian.int64(bytes, from);
    }

    private void use(Schema schema, Schema own, byte[] fieldKinds, int[] fieldPlaces) {
        record = schema;
        wanted = own;
        kinds = fieldKinds;
        places = fieldPlaces;
        field = NO_FIELD;
    }

    private void body(int from, int bound) {
        RecordLayout layout = record.layout();
        int entries = layout.variableFields.length;
        if (entries == 0) {
            if (layout.fixedBytes > bound - from) {
                throw damaged("record is cut off: needed=" + layout.fixedBytes + " left=" + (bound - from), from);
            }
            base = from;
            end = from + layout.fixedBytes;
            return;
        }
        if (bound - from < RecordLayout.LENGTH_BYTES) {
            throw damaged("record is cut off: left=" + (bound - from), from);
        }
        int length = BigEndian.int32(bytes, from);
        int start = from + RecordLayout.LENGTH_BYTES;
        if (length < layout.fixedBytes || length + OffsetTable.bytes(length, entries) > bound - start) {
            throw damaged(
                    "data length does not fit: length=" + length + " fixed=" + layout.fixedBytes + " left="
                            + (bound - start),
                    from);
        }
        base = start;
        dataLength = length;
        tableAt = start + length;
        shift = OffsetTable.shift(length);
        end = tableAt + (entries << shift);
        checkOffsets(layout, entries);
    }

    private void checkOffsets(RecordLayout layout, int entries) {
        int previous = -1;
        int lowest = dataLength;
        boolean sorted = true;
        for (int entry = 0; entry < entries; entry++) {
            int offset = OffsetTable.get(bytes, tableAt, shift, entry);
            if (offset != OffsetTable.NULL) {
                if (offset < layout.fixedBytes || offset >= dataLength) {
                    throw misplaced(entry, "offset is outside: value=" + offset + " fixed=" + layout.fixedBytes);
                }
                sorted &= offset > previous;
                previous = offset;
                lowest = Math.min(lowest, offset);
            }
        }
        if (lowest != layout.fixedBytes) {
            throw misplaced(0, "bytes of no field: fixed=" + layout.fixedBytes + " first=" + lowest);
        }
        isSorted = sorted;
        ascending = null;
    }

    /** Finds the value of a field without a fixed size, and returns whether the value is not null. */
    boolean locate(int index, byte kind) {
        if (kinds[index] != kind) {
            throw unfit(index, kind);
        }
        int entry = places[index];
        int offset = OffsetTable.get(bytes, tableAt, shift, entry);
        if (offset == OffsetTable.NULL) {
            return false;
        }
        field = index;
        at = base + offset;
        until = base + (isSorted ? following(entry) : above(offset, entry));
        return true;
    }

    /** Returns the next offset in the table that is not null, or the end of the data. */
    private int following(int entry) {
        int entries = record.layout().variableFields.length;
        for (int next = entry + 1; next < entries; next++) {
            int offset = OffsetTable.get(bytes, tableAt, shift, next);
            if (offset != OffsetTable.NULL) {
                return offset;
            }
        }
        return dataLength;
    }

    /** Returns the smallest offset in the table that is greater than {@code offset}, or the end of the data. */
    private int above(int offset, int entry) {
        int entries = record.layout().variableFields.length;
        if (entries > MAX_SCANNED) {
            int[] offsets = ascending;
            if (offsets == null) {
                offsets = ascending(entries);
                ascending = offsets;
            }
            int found = Arrays.binarySearch(offsets, offset);
            int next = found + 1 < offsets.length ? offsets[found + 1] : dataLength;
            if (found >= 0 && next != offset && (found == 0 || offsets[found - 1] != offset)) {
                return next;
            } // else two fields have one value, which the loop finds
        }
        int least = dataLength;
        for (int other = 0; other < entries; other++) {
            int candidate = OffsetTable.get(bytes, tableAt, shift, other);
            if (candidate == offset && other != entry) {
                throw misplaced(other, "two fields have one value: offset=" + offset);
            }
            if (candidate > offset) {
                least = Math.min(least, candidate);
            }
        }
        return least;
    }

    private int[] ascending(int entries) {
        int[] offsets = new int[entries];
        int count = 0;
        for (int entry = 0; entry < entries; entry++) {
            int offset = OffsetTable.get(bytes, tableAt, shift, entry);
            if (offset != OffsetTable.NULL) {
                offsets[count++] = offset;
            }
        }
        int[] found = Arrays.copyOf(offsets, count);
        Arrays.sort(found);
        return found;
    }

    /** Returns the offset of the value of a field in the fixed region, or -1 if the field is of another kind. */
    int fixed(int index, byte kind) {
        return kinds[index] == kind ? base + places[index] : -1;
    }

    /** Returns the value of a field that is a boolean in the fixed region. */
    boolean bit(int index) {
        int place = places[index];
        return ((bytes[base + RecordLayout.byteOf(place)] >> RecordLayout.bitOf(place)) & 1) != 0;
    }

    /** Checks that an array of nullable items ends at {@code until}. */
    void checkItems(int at, int until) {
        int left = until - at - Input.ITEMS_HEAD_BYTES;
        if (left < 0) {
            throw refused(Damage.cutOff(Input.ITEMS_HEAD_BYTES, until - at, at), at);
        }
        int length = BigEndian.int32(bytes, at);
        int count = BigEndian.int32(bytes, at + Integer.BYTES);
        if (length < 0 || count < 0 || length + OffsetTable.bytes(length, count) != left) {
            throw damaged("array does not fit: length=" + length + " count=" + count + " left=" + left, at);
        }
        if (count > resolver.limits.maxItems()) {
            throw refused(null, at + Integer.BYTES);
        }
    }

    /** Returns whether an item is not null, after checking that the item begins at {@code next}, where the item before ended. */
    boolean follows(int item, int start, int table, int next) {
        int width = OffsetTable.shift(table - start);
        int offset = OffsetTable.get(bytes, table, width, item);
        if (offset != OffsetTable.NULL && offset != next - start) {
            throw damaged(
                    "item is not behind the one before: item=" + item + " offset=" + offset + " expected="
                            + (next - start),
                    table + (item << width));
        }
        return offset != OffsetTable.NULL;
    }

    /** Returns the exception for a value that was located but cannot be read; the limit of items if {@code damage} is null. */
    CompactException refused(@Nullable Damage damage, int countAt) {
        return damage == null
                ? new CompactLimitException("maxItems", BigEndian.int32(bytes, countAt), resolver.limits.maxItems())
                : damaged(damage.what(), damage.at());
    }

    /** Returns a value after checking that it is not null. */
    <T> T present(int index, @Nullable T value) {
        if (value == null) {
            throw new CompactFieldException("null is no value here:", record.typeName(), name(index));
        }
        return value;
    }

    int indexOf(String name) {
        int index = record.indexOf(name);
        if (index < 0) {
            throw new CompactFieldException("not in the record:", record.typeName(), name);
        }
        return own() + index;
    }

    /** Returns the number of indexes that belong to {@link #wanted}, in front of those of the record; 0 if both have the same schema. */
    private int own() {
        return kinds.length - record.layout().kinds.length;
    }

    private CompactFieldException unfit(int index, byte kind) {
        String asked = FieldKind.ofId(kind).orElseThrow().toString();
        String what = kinds[index] == KindId.NONE
                ? "not in the record:"
                : "is of another kind: asked=" + asked + " kind="
                        + FieldKind.ofId(kinds[index]).orElseThrow();
        return new CompactFieldException(what, record.typeName(), name(index));
    }

    private CompactFormatException misplaced(int entry, String what) {
        field = own() + record.layout().variableFields[entry];
        return damaged(what, tableAt + (entry << shift));
    }

    CompactFormatException damaged(String what, int offset) {
        return new CompactFormatException(what, record.typeName(), field == NO_FIELD ? "" : name(field), offset);
    }

    private String name(int index) {
        int own = own();
        return (index < own ? wanted.field(index) : record.field(index - own)).name();
    }
}
