package dev.touchstone.serialization;

import dev.touchstone.serialization.schema.Schema;

/**
 * Writes and reads the objects of one type. Must be thread-safe; has no state as a rule.
 *
 * @param <T> the type
 */
public interface CompactCodec<T> {
    /** The class of the objects, exactly. */
    Class<T> type();

    /** The schema of the records that {@link #write} makes, always the same. */
    Schema schema();

    /**
     * Writes every field of the schema once, whatever the value is. The bytes of values without a fixed size stand in the order of the calls.
     */
    void write(CompactWriter writer, T value);

    /**
     * Makes an object of a record. The record may be of another version of the type: what it lacks, {@link CompactReader#has} tells. The
     * reader must not be kept.
     */
    T read(CompactReader reader);
}
