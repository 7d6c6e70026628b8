package dev.touchstone.serialization;

import dev.touchstone.serialization.schema.Schema;

/**
 * A codec that writes the objects of one type as records, and reads them back. Implementations must be thread-safe, and have no state as a rule.
 *
 * @param <T> type of the objects
 */
public interface CompactCodec<T> {
    /**
     * Returns the class of the objects that this codec writes; subclasses need codecs of their own.
     *
     * @return class of the objects, never null
     */
    Class<T> type();

    /**
     * Returns the schema of the records that {@link #write} makes.
     *
     * @return schema, the same one at every call
     */
    Schema schema();

    /**
     * Writes each field of the schema exactly once, whatever the object holds. Values without a fixed size stand in the record in the order of the
     * calls.
     *
     * @param writer writer of the record, of no use once this method has returned
     * @param value object to write, not null
     */
    void write(CompactWriter writer, T value);

    /**
     * Reads an object from a record. The record may have another version of the schema; {@link CompactReader#has} tells whether the record has a
     * field.
     *
     * @param reader reader of the record, of no use once this method has returned
     * @return the object, not null
     */
    T read(CompactReader reader);
}
