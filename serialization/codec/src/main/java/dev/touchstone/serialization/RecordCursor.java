package dev.touchstone.serialization;

import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.layout.KindId;
import dev.touchstone.serialization.layout.OffsetTable;
import dev.touchstone.serialization.layout.RecordLayout;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The record that is being read: where its fields are. What the bytes say of lengths and offsets is checked here, so that the values of a
 * record take up its variable region exactly, each once. See {@link RecordLayout} for what stands where.
 */
abstract class RecordCursor extends Input {
    /*
     * Who calls:   one thread at a time.
     * Invariants:  0 <= base <= base + dataLength <= end <= bytes.length; the fixed region is inside the data; every offset in the table
     *              is null or that of a byte of the variable region; one of them is that of its first byte.
     *              isSorted: offsets grow from entry to entry, so that a value ends where the next one begins.
     */
    private static final int NO_FIELD = -1;
    private static final Schema NOTHING = Schema.builder("").build();

    final Resolver resolver;
    int depth;

    /** The schema of the record at hand, and that of the codec that reads it where it is another version, else the same. */
    Schema record = NOTHING;

    private Schema wanted = NOTHING;
    /** By index of a field: first those of a codec's other version, if there is one, then those of the record. */
    byte[] kinds = NOTHING.layout().kinds;

    int[] places = NOTHING.layout().places;
    int base;
    /** Behind the record. */
    int end;

    private int dataLength;
    private int tableAt;
    private int shift;
    private boolean isSorted;
    /** What is being read, for messages. */
    private int field = NO_FIELD;

    RecordCursor(Resolver resolver, byte[] bytes, int depth) {
        super(bytes);
        this.resolver = resolver;
        this.depth = depth;
    }

    /** Has the codec make an object of the record at hand. */
    abstract <T> T object(CompactCodec<T> codec);

    /** The object of a whole array. */
    final <T> T readAll(CompactCodec<T> codec) {
        position = checkHeader();
        limit = bytes.length;
        return whole(record(codec));
    }

    /** Opens the record of a whole array, for its own schema. */
    final void openAll() {
        openAny(checkHeader(), bytes.length);
        checkEnd();
    }

    /** Opens the record of a whole array, for a codec's schema. */
    final void openAll(Schema own) {
        open(own, checkHeader(), bytes.length);
        checkEnd();
    }

    private void checkEnd() {
        if (end != bytes.length) {
            throw damaged("bytes behind the record: left=" + (bytes.length - end), end);
        }
    }

    private int checkHeader() {
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

    /** Reads the record that begins here and passes it; the one at hand is at hand again after that. */
    final <T> T record(CompactCodec<T> codec) {
        Schema outerRecord = record;
        Schema outerWanted = wanted;
        byte[] outerKinds = kinds;
        int[] outerPlaces = places;
        int outerBase = base;
        int outerEnd = end;
        int outerLength = dataLength;
        int outerTable = tableAt;
        int outerShift = shift;
        boolean outerSorted = isSorted;
        int outerField = field;
        int outerLimit = limit;
        int at = position;
        try {
            open(codec.schema(), at, limit);
            return object(codec);
        } catch (CompactException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CompactObjectException(
                    "object could not be made:", codec.schema().typeName(), at, e);
        } finally {
            position = end;
            record = outerRecord;
            wanted = outerWanted;
            kinds = outerKinds;
            places = outerPlaces;
            base = outerBase;
            end = outerEnd;
            dataLength = outerLength;
            tableAt = outerTable;
            shift = outerShift;
            isSorted = outerSorted;
            field = outerField;
            limit = outerLimit;
            depth--;
        }
    }

    /** Opens a record for a codec with a schema. */
    private void open(Schema own, int from, int until) {
        long id = enter(from, until);
        if (id == own.id()) {
            use(own, own, own.layout().kinds, own.layout().places);
        } else {
            Schema other = resolver.schema(id, from);
            Projection projection = resolver.projection(own, other);
            use(other, own, projection.kinds, projection.places);
        }
        body(from + RecordLayout.SCHEMA_ID_BYTES, until);
    }

    /** Opens a record of any type. */
    final void openAny(int from, int until) {
        Schema schema = resolver.schema(enter(from, until), from);
        use(schema, schema, schema.layout().kinds, schema.layout().places);
        body(from + RecordLayout.SCHEMA_ID_BYTES, until);
    }

    private long enter(int from, int until) {
        if (++depth > resolver.limits.maxDepth()) {
            throw new CompactLimitException("maxDepth", depth, resolver.limits.maxDepth());
        }
        if (until - from < RecordLayout.SCHEMA_ID_BYTES) {
            throw damaged("record is cut off: left=" + (until - from), from);
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

    private void body(int from, int until) {
        RecordLayout layout = record.layout();
        int entries = layout.variableFields.length;
        if (entries == 0) {
            if (layout.fixedBytes > until - from) {
                throw damaged("record is cut off: needed=" + layout.fixedBytes + " left=" + (until - from), from);
            }
            base = from;
            end = from + layout.fixedBytes;
            return;
        }
        if (until - from < RecordLayout.LENGTH_BYTES) {
            throw damaged("record is cut off: left=" + (until - from), from);
        }
        int length = BigEndian.int32(bytes, from);
        int start = from + RecordLayout.LENGTH_BYTES;
        if (length < layout.fixedBytes || length + OffsetTable.bytes(length, entries) > until - start) {
            throw damaged(
                    "data length does not fit: length=" + length + " fixed=" + layout.fixedBytes + " left="
                            + (until - start),
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
    }

    /** Finds the value of a field without a fixed size: whether there is one that is not null. */
    final boolean locate(int index, byte kind) {
        if (kinds[index] != kind) {
            throw unfit(index, kind);
        }
        int entry = places[index];
        int offset = OffsetTable.get(bytes, tableAt, shift, entry);
        if (offset == OffsetTable.NULL) {
            return false;
        }
        field = index;
        position = base + offset;
        limit = base + (isSorted ? following(entry) : above(offset, entry));
        return true;
    }

    /** The next offset in the table that is not null, or the data's end. */
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

    /** The least greater offset in the table, or the data's end. */
    private int above(int offset, int entry) {
        int least = dataLength;
        int entries = record.layout().variableFields.length;
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

    /** The items of an array without a fixed size: they must follow each other without gaps. */
    final <T> @Nullable T[] items(IntFunction<@Nullable T[]> newArray, ItemReader<T> reader) {
        int at = take(2 * Integer.BYTES);
        int length = BigEndian.int32(bytes, at);
        int count = BigEndian.int32(bytes, at + Integer.BYTES);
        int start = position;
        int until = limit;
        if (length < 0 || count < 0 || length + OffsetTable.bytes(length, count) != until - start) {
            throw damaged("array does not fit: length=" + length + " count=" + count + " left=" + (until - start), at);
        }
        checkItems(count);
        @Nullable T[] items = newArray.apply(count);
        int table = start + length;
        int entryShift = OffsetTable.shift(length);
        limit = table;
        for (int i = 0; i < count; i++) {
            int offset = OffsetTable.get(bytes, table, entryShift, i);
            if (offset != OffsetTable.NULL) {
                if (offset != position - start) {
                    throw damaged(
                            "item is not behind the one before: item=" + i + " offset=" + offset + " expected="
                                    + (position - start),
                            table + (i << entryShift));
                }
                items[i] = reader.read(this);
            }
        }
        whole(items);
        position = until;
        limit = until;
        return items;
    }

    @Override
    final void checkItems(int count) {
        if (count > resolver.limits.maxItems()) {
            throw new CompactLimitException("maxItems", count, resolver.limits.maxItems());
        }
    }

    final boolean bit(int index) {
        int place = places[index];
        return ((bytes[base + RecordLayout.byteOf(place)] >> RecordLayout.bitOf(place)) & 1) != 0;
    }

    /** A value that must be there. */
    final <T> T present(int index, @Nullable T value) {
        if (value == null) {
            throw new CompactFieldException("null is no value here:", record.typeName(), name(index));
        }
        return value;
    }

    public final int indexOf(String name) {
        int index = record.indexOf(name);
        if (index < 0) {
            throw new CompactFieldException("not in the record:", record.typeName(), name);
        }
        return own() + index;
    }

    /** How many indexes those of a codec's other version take up in front of the record's own. */
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

    @Override
    final CompactFormatException damaged(String what, int offset) {
        return new CompactFormatException(what, record.typeName(), field == NO_FIELD ? "" : name(field), offset);
    }

    private String name(int index) {
        int own = own();
        return (index < own ? wanted.field(index) : record.field(index - own)).name();
    }
}
