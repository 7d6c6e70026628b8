package dev.touchstone.serialization;

import dev.touchstone.serialization.schema.Schema;
import org.jspecify.annotations.Nullable;

/** A source of schemas that the serialization was not built with, such as the head of a file or a cluster. Implementations must be thread-safe. */
@FunctionalInterface
public interface SchemaSource {
    /** A source that has no schemas. */
    SchemaSource NONE = id -> null;

    /**
     * Finds the schema with a fingerprint. The caller refuses a schema whose fingerprint is another one.
     *
     * @param id fingerprint of the schema
     * @return the schema, or null if this source does not have it
     */
    @Nullable
    Schema find(long id);
}
