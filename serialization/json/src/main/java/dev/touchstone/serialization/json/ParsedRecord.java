package dev.touchstone.serialization.json;

import dev.touchstone.serialization.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A record that was read and is to be written.
 *
 * @param schema schema of the record
 * @param values values by the index of their field, as {@link dev.touchstone.serialization.GenericView#value} gives them, but records as
 *     objects of this class
 */
@SuppressWarnings("ArrayRecordComponent") // made in one place, passed on once, and never compared
record ParsedRecord(Schema schema, @Nullable Object[] values) {}
