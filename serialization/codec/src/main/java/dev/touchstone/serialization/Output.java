package dev.touchstone.serialization;

import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.exception.CompactLimitException;
import dev.touchstone.serialization.exception.CompactObjectException;
import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.layout.OffsetTable;
import dev.touchstone.serialization.layout.Utf8;
import dev.touchstone.serialization.schema.RecordLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A buffer into which records are written once, from begin to end. The public methods are for the code that the annotation processor generates, which
 * knows where each field stands; {@link CompactWriter} is meant for codecs that are written by hand. For one thread.
 */
public final class Output {
    /*
     * Who calls:   one thread at a time; a codec, while it is on the stack.
     * Invariants:  bytes in front of `position` are written, those behind are of earlier records. `buffer` never has more than maxBytes, so that
     *              no record is longer, even if its objects refer to each other in a circle. `slots`, up to slotTop, hold the offsets of
     *              items, and the states of fields for RecordWriter; outer records keep theirs below those of inner ones.
     * Failure:     an exception leaves the state as it is; encode() clears it. `depth` then tells outer records of a failure inside.
     */
    private static final int INITIAL_BYTES = 512;
    private static final int RETAINED_BYTES = 1 << 20;
    /** Maximum length of an array that a JVM makes: it refuses those of the very last lengths, however much memory there is. */
    private static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

    private static final int INITIAL_SLOTS = 64;
    private static final int RETAINED_SLOTS = 1 << 16;

    /** Length in characters from which on encoding into a separate array is faster than encoding each character here. */
    private static final int LONG_STRING = 64;

    private static final int MAX_BYTES_OF_CHAR = 3;
    private static final long HEADER = RecordLayout.TYPE_COMPACT & RecordLayout.TYPE_MASK;

    final Limits limits;
    byte[] buffer;
    int position;
    int[] slots = new int[INITIAL_SLOTS];
    int slotTop;
    int depth;
    private final char[] units = new char[LONG_STRING];
    private boolean isAscii = true; // whether the last string was ASCII, which is a guess for the next one
    private boolean busy;
    private @Nullable RecordWriter byIndex;

    Output(Limits limits) {
        this.limits = limits;
        buffer = new byte[Math.min(INITIAL_BYTES, limits.maxBytes())];
    }

    /** Returns whether a record is being written. True if a codec calls the serialization again while it writes. */
    boolean isBusy() {
        return busy;
    }

    /** Returns a record with its header, in an array of its own. */
    <T> byte[] encode(CompactCodec<T> codec, T value) {
        busy = true;
        try {
            recordWithHeader(codec, value);
            return Arrays.copyOf(buffer, position);
        } finally {
            busy = false;
            clear();
        }
    }

    /** Puts a record with its header into a buffer, which stays as it was on any failure. Returns the number of bytes. */
    <T> int encode(CompactCodec<T> codec, T value, ByteBuffer target) {
        busy = true;
        try {
            recordWithHeader(codec, value);
            if (position > target.remaining()) {
                throw new CompactLimitException("target.remaining", position, target.remaining());
            }
            target.put(buffer, 0, position);
            return position;
        } finally {
            busy = false;
            clear();
        }
    }

    private <T> void recordWithHeader(CompactCodec<T> codec, T value) {
        int at = reserve(RecordLayout.HEADER_BYTES);
        BigEndian.putInt64(buffer, at, HEADER);
        record(value, codec);
    }

    /** Discards all that was written. */
    private void clear() {
        if (depth > 0 && byIndex != null) { // it has failed
            byIndex.clear();
        }
        position = 0;
        slotTop = 0;
        depth = 0;
        if (buffer.length > RETAINED_BYTES || slots.length > RETAINED_SLOTS) {
            buffer = new byte[Math.min(INITIAL_BYTES, limits.maxBytes())];
            slots = new int[INITIAL_SLOTS];
        }
    }

    <T> void record(T value, CompactCodec<T> codec) {
        int own = depth + 1;
        if (own > limits.maxDepth()) {
            throw new CompactLimitException("maxDepth", own, limits.maxDepth());
        }
        depth = own;
        int at = position;
        try {
            if (codec instanceof FixedLayoutCodec<T> straight) {
                straight.write(value, this);
            } else {
                writeByIndex(value, codec);
            }
            requireAllWritten(own, codec);
        } catch (CompactException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CompactObjectException(
                    "object could not be written:", codec.schema().typeName(), at, e);
        }
        depth = own - 1;
    }

    /** Refuses to go on after the failure of a record inside, which its codec has caught: that record is there in part. */
    void requireAllWritten(int level, CompactCodec<?> codec) {
        if (depth != level) {
            throw new IllegalStateException("a codec went on after a failure inside: type="
                    + codec.schema().typeName());
        }
    }

    <T> void writeByIndex(T value, CompactCodec<T> codec) {
        RecordWriter writer = byIndex;
        if (writer == null) {
            writer = new RecordWriter(this);
            byIndex = writer;
        }
        writer.write(value, codec);
    }

    /**
     * Reserves bytes behind the position, and moves the position behind them. Returns the offset of the first one; the bytes hold data of earlier
     * records.
     */
    int reserve(long bytes) {
        int at = position;
        if (bytes > buffer.length - at) {
            grow(at + bytes);
        }
        position = at + (int) bytes;
        return at;
    }

    private void grow(long needed) {
        buffer = Arrays.copyOf(buffer, capacity(needed, buffer.length, limits.maxBytes()));
    }

    /** Returns the length of a longer buffer. @throws CompactLimitException if no buffer can have the bytes */
    static int capacity(long needed, int length, int maxBytes) {
        int most = Math.min(maxBytes, MAX_ARRAY_BYTES);
        if (needed > most) {
            throw new CompactLimitException("maxBytes", needed, most);
        }
        return (int) Math.min(most, Math.max(needed, 2L * length));
    }

    /** Reserves slots above those in use. Returns the index of the first one. */
    int pushSlots(int count) {
        int base = slotTop;
        if (count > slots.length - base) {
            slots = Arrays.copyOf(slots, Math.max(Math.addExact(base, count), 2 * slots.length));
        }
        slotTop = base + count;
        return base;
    }

    /**
     * Begins a record that has variable-size fields.
     *
     * @param schemaId fingerprint of the schema
     * @param fixedBytes length of the fixed region in bytes; the caller writes all of them
     * @return offset at which the data of the record begins
     */
    public int begin(long schemaId, int fixedBytes) {
        int at = reserve((long) RecordLayout.SCHEMA_ID_BYTES + RecordLayout.LENGTH_BYTES + fixedBytes);
        BigEndian.putInt64(buffer, at, schemaId);
        return at + RecordLayout.SCHEMA_ID_BYTES + RecordLayout.LENGTH_BYTES;
    }

    /**
     * Begins a record that has fixed-size fields only.
     *
     * @param schemaId fingerprint of the schema
     * @param fixedBytes length of the fixed region in bytes; the caller writes all of them
     * @return offset at which the data of the record begins
     */
    public int beginFixed(long schemaId, int fixedBytes) {
        int at = reserve((long) RecordLayout.SCHEMA_ID_BYTES + fixedBytes);
        BigEndian.putInt64(buffer, at, schemaId);
        return at + RecordLayout.SCHEMA_ID_BYTES;
    }

    /**
     * Ends the data of a record that has variable-size fields.
     *
     * @param data offset at which the data begins
     * @param variables number of variable-size fields, each of which has an entry in the offset table
     * @return offset at which the offset table begins
     */
    public int endData(int data, int variables) {
        int length = position - data;
        BigEndian.putInt32(buffer, data - RecordLayout.LENGTH_BYTES, length);
        return reserve(OffsetTable.bytes(length, variables));
    }

    /**
     * Returns the binary logarithm of the width of an entry in an offset table.
     *
     * @param data offset at which the data begins
     * @param table offset at which the table begins
     * @return 0, 1 or 2, for entries of 1, 2 or 4 bytes
     */
    public static int shift(int data, int table) {
        return OffsetTable.shift(table - data);
    }

    /**
     * Writes an entry of an offset table.
     *
     * @param table offset at which the table begins
     * @param shift result of {@link #shift} for the table
     * @param entry number of the entry, from 0
     * @param offset offset of the value in the data, or -1 for null
     */
    public void putOffset(int table, int shift, int entry, int offset) {
        OffsetTable.put(buffer, table, shift, entry, offset);
    }

    /**
     * Writes a value into a fixed region.
     *
     * @param at offset at which the value begins
     * @param value value
     */
    public void putInt8(int at, byte value) {
        buffer[at] = value;
    }

    /**
     * Writes a value into a fixed region.
     *
     * @param at offset at which the value begins
     * @param value value
     */
    public void putInt16(int at, short value) {
        BigEndian.putInt16(buffer, at, value);
    }

    /**
     * Writes a value into a fixed region.
     *
     * @param at offset at which the value begins
     * @param value value
     */
    public void putInt32(int at, int value) {
        BigEndian.putInt32(buffer, at, value);
    }

    /**
     * Writes a value into a fixed region.
     *
     * @param at offset at which the value begins
     * @param value value
     */
    public void putInt64(int at, long value) {
        BigEndian.putInt64(buffer, at, value);
    }

    /**
     * Writes a value into a fixed region.
     *
     * @param at offset at which the value begins
     * @param value value
     */
    public void putFloat32(int at, float value) {
        BigEndian.putFloat32(buffer, at, value);
    }

    /**
     * Writes a value into a fixed region.
     *
     * @param at offset at which the value begins
     * @param value value
     */
    public void putFloat64(int at, double value) {
        BigEndian.putFloat64(buffer, at, value);
    }

    /**
     * Writes a value behind the last one.
     *
     * @param <T> type of the value
     * @param data offset at which the data of the record begins
     * @param value value, or null
     * @param format format of the kind of the value
     * @return offset of the value in the data, or -1 for null
     */
    public <T> int put(int data, @Nullable T value, ValueFormat<T> format) {
        if (value == null) {
            return OffsetTable.NULL;
        }
        int at = position - data;
        format.write(this, value);
        return at;
    }

    /**
     * Writes a record behind the last value.
     *
     * @param <T> type of the object
     * @param data offset at which the data of the outer record begins
     * @param value object, or null
     * @param codec codec of the type of the object
     * @return offset of the record in the data, or -1 for null
     */
    public <T> int put(int data, @Nullable T value, CompactCodec<T> codec) {
        if (value == null) {
            return OffsetTable.NULL;
        }
        int at = position - data;
        record(value, codec);
        return at;
    }

    /**
     * Writes an array of values, each of which may be null, behind the last value.
     *
     * @param <T> type of the items
     * @param data offset at which the data of the record begins
     * @param values items, or null
     * @param format format of the kind of the items
     * @return offset of the array in the data, or -1 for null
     */
    public <T> int putItems(int data, @Nullable T @Nullable [] values, ValueFormat<T> format) {
        if (values == null) {
            return OffsetTable.NULL;
        }
        int at = position - data;
        items(values, format);
        return at;
    }

    /**
     * Writes an array of records, each of which may be null, behind the last value.
     *
     * @param <T> type of the items
     * @param data offset at which the data of the outer record begins
     * @param values items, or null
     * @param codec codec of the type of the items
     * @return offset of the array in the data, or -1 for null
     */
    public <T> int putItems(int data, @Nullable T @Nullable [] values, CompactCodec<T> codec) {
        if (values == null) {
            return OffsetTable.NULL;
        }
        int at = position - data;
        records(values, codec);
        return at;
    }

    void string(String value) {
        int length = value.length();
        int from = position + Integer.BYTES;
        if (length >= LONG_STRING || MAX_BYTES_OF_CHAR * length + 1 > buffer.length - from) {
            longString(value);
            return;
        }
        int end = from + length;
        if (!isAscii || !Utf8.putAscii(buffer, from, value, length)) {
            value.getChars(0, length, units, 0);
            end = Utf8.put(buffer, from, units, length);
            isAscii = end - from == length;
        }
        BigEndian.putInt32(buffer, position, end - from);
        position = end;
    }

    private void longString(String value) {
        if (value.length() > limits.maxBytes()) {
            throw new CompactLimitException("maxBytes", value.length(), limits.maxBytes());
        }
        bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes bytes behind their length as an int32. */
    void bytes(byte[] values) {
        int at = reserve((long) Integer.BYTES + values.length);
        BigEndian.putInt32(buffer, at, values.length);
        System.arraycopy(values, 0, buffer, at + Integer.BYTES, values.length);
    }

    void checkItems(int count) {
        if (count > limits.maxItems()) {
            throw new CompactLimitException("maxItems", count, limits.maxItems());
        }
    }

    <T> void records(@Nullable T[] values, CompactCodec<T> codec) {
        int offsets = beginItems(values.length);
        int start = position;
        for (int i = 0; i < values.length; i++) {
            int offset = put(start, values[i], codec); // which may move the slots
            slots[offsets + i] = offset;
        }
        endItems(start, offsets, values.length);
    }

    <T> void items(@Nullable T[] values, ValueFormat<T> format) {
        int offsets = beginItems(values.length);
        int start = position;
        for (int i = 0; i < values.length; i++) {
            slots[offsets + i] = put(start, values[i], format);
        }
        endItems(start, offsets, values.length);
    }

    private int beginItems(int count) {
        checkItems(count);
        int at = reserve(2 * Integer.BYTES);
        BigEndian.putInt32(buffer, at + Integer.BYTES, count);
        return pushSlots(count);
    }

    private void endItems(int start, int offsets, int count) {
        int length = position - start;
        BigEndian.putInt32(buffer, start - 2 * Integer.BYTES, length);
        int table = reserve(OffsetTable.bytes(length, count));
        int shift = OffsetTable.shift(length);
        for (int i = 0; i < count; i++) {
            OffsetTable.put(buffer, table, shift, i, slots[offsets + i]);
        }
        slotTop = offsets;
    }
}
