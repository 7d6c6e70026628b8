package dev.touchstone.serialization;

import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.exception.CompactObjectException;
import dev.touchstone.serialization.layout.BigEndian;
import dev.touchstone.serialization.layout.OffsetTable;
import dev.touchstone.serialization.schema.RecordLayout;
import dev.touchstone.serialization.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A codec that also writes records of its schema to an array of bytes, and reads them from there, at offsets that were known when the codec was
 * compiled. Generated codecs extend this class. Codecs written by hand may extend it too, but {@link CompactCodec} is meant for them. Subclasses must
 * be thread-safe.
 *
 * <p>{@link #read(CompactReader)} reads the records that this codec cannot read from the array: those with another schema or another order of values,
 * and damaged ones.
 *
 * @param <T> type of the objects
 */
public abstract class FixedLayoutCodec<T> implements CompactCodec<T> {
    /** Offset of the data in a record that has variable-size fields, in bytes. */
    private static final int DATA_AT = RecordLayout.SCHEMA_ID_BYTES + RecordLayout.LENGTH_BYTES;

    /** Offset of the data in a record that has fixed-size fields only, in bytes. */
    private static final int FIXED_DATA_AT = RecordLayout.SCHEMA_ID_BYTES;

    private final Class<T> type;
    private final Schema schema;
    private final long schemaId;
    private final int fixedBytes;
    private final int variables;

    /**
     * Creates a codec.
     *
     * @param type class of the objects, exactly
     * @param schema schema of the records
     */
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

    /**
     * Writes a record behind the bytes that were written before. This implementation calls {@link #write(CompactWriter, Object)}.
     *
     * @param value object to write, not null
     * @param out buffer to write to
     */
    protected void write(T value, Output out) {
        out.writeByIndex(value, this);
    }

    /**
     * Reads a record of this schema whose schema id and data length have been checked. This implementation returns null.
     *
     * @param in bytes
     * @param data offset at which the data begins
     * @param table offset at which the data ends and the offset table begins
     * @param width width of an entry of the offset table, in bytes: 1, 2 or 4
     * @param depth number of records that are one inside the other up to this one, itself included
     * @param limits limits of arrays and of the depth
     * @return the object, or null if the values stand in another order than this codec writes them, or cannot be read
     */
    protected @Nullable T read(byte[] in, int data, int table, int width, int depth, Limits limits) {
        return null;
    }

    /**
     * Returns the object of a whole array, or null if the object cannot be read in this way. The array must have the bytes of a header and a schema
     * id.
     */
    final @Nullable T decode(byte[] in, Limits limits) {
        if (in.length > limits.maxBytes() || BigEndian.int32(in, RecordLayout.TYPE_AT) != RecordLayout.TYPE_COMPACT) {
            return null;
        }
        T value = readInside(in, RecordLayout.HEADER_BYTES, in.length, 0, limits);
        return value != null && end(in, RecordLayout.HEADER_BYTES) == in.length ? value : null;
    }

    /**
     * Returns the object of a record that is inside another one, or null if the object cannot be read in this way.
     *
     * @param depth number of records around this one
     */
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

    /** Returns the offset behind a record that was read or written. */
    final int end(byte[] in, int at) {
        if (variables == 0) {
            return at + FIXED_DATA_AT + fixedBytes;
        }
        int length = BigEndian.int32(in, at + RecordLayout.SCHEMA_ID_BYTES);
        return at + DATA_AT + length + (variables << OffsetTable.shift(length));
    }
}
