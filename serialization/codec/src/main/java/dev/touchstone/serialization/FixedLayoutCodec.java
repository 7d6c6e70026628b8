package dev.touchstone.serialization;

import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.exception.CompactObjectException;
import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.layout.OffsetTable;
import dev.touchstone.serialization.schema.RecordLayout;
import dev.touchstone.serialization.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A codec that also writes and reads records of its own schema straight to and from an array of bytes, at offsets that were known when it was
 * compiled. What the processor generates extends this; it may be written by hand, but {@link CompactCodec} is meant for that. Thread-safe as
 * that is.
 *
 * <p>A record that was not written in the order in which this codec writes, or not by the same schema, or is damaged, is read by {@link
 * #read(CompactReader)}.
 *
 * @param <T> the type
 */
public abstract class FixedLayoutCodec<T> implements CompactCodec<T> {
    /** Where the data of a record with values of no fixed size begins, from the record's begin. */
    private static final int DATA_AT = RecordLayout.SCHEMA_ID_BYTES + RecordLayout.LENGTH_BYTES;

    /** Where the data of any other record begins. */
    private static final int FIXED_DATA_AT = RecordLayout.SCHEMA_ID_BYTES;

    private final Class<T> type;
    private final Schema schema;
    private final long schemaId;
    private final int fixedBytes;
    private final int variables;

    /** A codec of the objects of exactly this class, by this schema. */
    protected FixedLayoutCodec(Class<T> type, Schema schema) {
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

    /** Writes a record behind what was written. Unless it is overridden, by {@link #write(CompactWriter, Object)}. */
    protected void write(T value, Output out) {
        out.writeByIndex(value, this);
    }

    /**
     * Reads a record of this schema whose head has been checked.
     *
     * @param data where its data begins
     * @param table where its data ends and its offset table begins
     * @param width of an entry of that, in bytes
     * @return the object, or null if the record was not written in this order, or can't be read
     */
    protected @Nullable T read(byte[] in, int data, int table, int width, int depth, Limits limits) {
        return null;
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
            return object(in, at, data, data + fixedBytes, 1, depth + 1, limits);
        }
        int length = BigEndian.int32(in, at + RecordLayout.SCHEMA_ID_BYTES);
        int shift = OffsetTable.shift(length);
        if (length < fixedBytes || length > left - head - (variables << shift)) {
            return null;
        }
        return object(in, at, data, data + length, 1 << shift, depth + 1, limits);
    }

    private @Nullable T object(byte[] in, int at, int data, int table, int width, int depth, Limits limits) {
        try {
            return read(in, data, table, width, depth, limits);
        } catch (CompactException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CompactObjectException("object could not be made:", schema.typeName(), at, e);
        }
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
