package dev.touchstone.serialization;

import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.layout.OffsetTable;
import dev.touchstone.serialization.layout.RecordLayout;
import dev.touchstone.serialization.schema.Schema;
import java.util.ConcurrentModificationException;
import org.jspecify.annotations.Nullable;

/**
 * A codec that also writes and reads records of its own schema straight to and from an array of bytes, at offsets that were known when it was
 * compiled. What the processor generates extends this; it may be written by hand, but {@link CompactCodec} is meant for that. Thread-safe as
 * that is.
 *
 * <p>A record is sized first, as if all its strings were of ASCII, and written into an array of just that size; where one is not, it is sized
 * and written again. A record that was not written in the order in which this codec writes, or not by the same schema, or is damaged, is read
 * by {@link #read(CompactReader)}.
 *
 * @param <T> the type
 */
public abstract class StraightCodec<T> extends StraightItems implements CompactCodec<T> {
    /** Where the data of a record with values of no fixed size begins, from the record's begin. */
    protected static final int DATA_AT = RecordLayout.SCHEMA_ID_BYTES + RecordLayout.LENGTH_BYTES;

    /** Where the data of any other record begins. */
    protected static final int FIXED_DATA_AT = RecordLayout.SCHEMA_ID_BYTES;

    private static final long HEADER = RecordLayout.TYPE_COMPACT & RecordLayout.TYPE_MASK;

    private final Class<T> type;
    private final Schema schema;
    private final long schemaId;
    private final int fixedBytes;
    private final int variables;

    /** A codec of the objects of exactly this class, by this schema. */
    protected StraightCodec(Class<T> type, Schema schema) {
        this.type = type;
        this.schema = schema;
        schemaId = schema.id();
        fixedBytes = schema.layout().fixedBytes;
        variables = schema.layout().variableFields.length;
    }

    @Override
    public final Class<T> type() {
        return type;
    }

    @Override
    public final Schema schema() {
        return schema;
    }

    /**
     * How many bytes the values take up that are not in the fixed region, or {@link #NOT_STRAIGHT} if there is no straight way for this type.
     *
     * @param depth of the record, to be handed on to those inside it
     * @param ascii whether strings are taken for ASCII
     */
    protected abstract long sizeOfVariables(T value, int depth, boolean ascii, Limits limits);

    /**
     * Writes a record into an array that is long enough.
     *
     * @param at where the record begins
     * @return where it ends, or {@link #NOT_ASCII}
     */
    protected abstract int write(T value, byte[] out, int at, boolean ascii);

    /**
     * Reads a record of this schema whose head has been checked.
     *
     * @param data where its data begins
     * @param table where its data ends and its offset table begins
     * @param width of an entry of that, in bytes
     * @return the object, or null if the record was not written in this order, or can't be read
     */
    protected abstract @Nullable T read(byte[] in, int data, int table, int width, int depth, Limits limits);

    /** The head and tail of a record that has values of no fixed size, which end here. @return where the record ends */
    protected final int putHead(byte[] out, int at, int end) {
        BigEndian.putInt64(out, at, schemaId);
        BigEndian.putInt32(out, at + RecordLayout.SCHEMA_ID_BYTES, end - at - DATA_AT);
        return end + (variables << OffsetTable.shift(end - at - DATA_AT));
    }

    /** The head of a record that has none. @return where the record ends */
    protected final int putFixedHead(byte[] out, int at) {
        BigEndian.putInt64(out, at, schemaId);
        return at + FIXED_DATA_AT + fixedBytes;
    }

    /** The bytes of a record, or null if it is to be written by index. */
    final byte @Nullable [] encode(T value, Limits limits) {
        try {
            byte[] out = newRecord(value, true, limits);
            if (out == null) {
                return null;
            }
            int end = write(value, out, RecordLayout.HEADER_BYTES, true);
            if (end == NOT_ASCII) {
                out = newRecord(value, false, limits);
                end = out == null ? end : write(value, out, RecordLayout.HEADER_BYTES, false);
            }
            if (out != null && end == out.length) {
                return out;
            }
        } catch (IndexOutOfBoundsException e) {
            throw changed(e);
        }
        throw changed(null);
    }

    private byte @Nullable [] newRecord(T value, boolean ascii, Limits limits) {
        long size = RecordLayout.HEADER_BYTES + sizeInside(value, 0, ascii, limits);
        if (size < 0) {
            return null;
        }
        if (size > limits.maxBytes()) {
            throw new CompactLimitException("maxBytes", size, limits.maxBytes());
        }
        byte[] out = new byte[(int) size];
        BigEndian.putInt64(out, 0, HEADER);
        return out;
    }

    private RuntimeException changed(@Nullable Throwable cause) {
        ConcurrentModificationException e =
                new ConcurrentModificationException("changed while it was written: type=" + schema.typeName());
        e.initCause(cause);
        return e;
    }

    /** The size of a record inside the one whose depth is given. */
    final long sizeInside(T value, int depth, boolean ascii, Limits limits) {
        int own = depth + 1;
        if (own > limits.maxDepth()) {
            throw new CompactLimitException("maxDepth", own, limits.maxDepth());
        }
        long data = fixedBytes + sizeOfVariables(value, own, ascii, limits);
        return variables == 0 ? FIXED_DATA_AT + data : DATA_AT + tabled(data, variables);
    }

    /** The object of a whole array that has its header and a schema id, or null. */
    final @Nullable T decode(byte[] in, Limits limits) {
        if (in.length > limits.maxBytes() || BigEndian.int32(in, RecordLayout.TYPE_AT) != RecordLayout.TYPE_COMPACT) {
            return null;
        }
        T value = readInside(in, RecordLayout.HEADER_BYTES, in.length, 0, limits);
        return value != null && end(in, RecordLayout.HEADER_BYTES) == in.length ? value : null;
    }

    /** The object of a record inside the one whose depth is given, or null. */
    final @Nullable T readInside(byte[] in, int at, int until, int depth, Limits limits) {
        int left = until - at;
        int head = variables == 0 ? FIXED_DATA_AT : DATA_AT;
        if (left < head + fixedBytes || BigEndian.int64(in, at) != schemaId || depth >= limits.maxDepth()) {
            return null;
        }
        int data = at + head;
        if (variables == 0) {
            return read(in, data, data + fixedBytes, 1, depth + 1, limits);
        }
        int length = BigEndian.int32(in, at + RecordLayout.SCHEMA_ID_BYTES);
        int shift = OffsetTable.shift(length);
        if (length < fixedBytes || length > left - head - (variables << shift)) {
            return null;
        }
        return read(in, data, data + length, 1 << shift, depth + 1, limits);
    }

    /** Where a record ends whose head was checked or written. */
    final int end(byte[] in, int at) {
        if (variables == 0) {
            return at + FIXED_DATA_AT + fixedBytes;
        }
        int length = BigEndian.int32(in, at + RecordLayout.SCHEMA_ID_BYTES);
        return at + DATA_AT + length + (variables << OffsetTable.shift(length));
    }
}
