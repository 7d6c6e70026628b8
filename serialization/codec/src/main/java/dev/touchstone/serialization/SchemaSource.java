package dev.touchstone.serialization;

import dev.touchstone.serialization.schema.Schema;
import org.jspecify.annotations.Nullable;

/** Where schemas are looked up that are not among those known from the start: a file's head, a cluster. Must be thread-safe. */
@FunctionalInterface
public interface SchemaSource {
    /** Knows none. */
    SchemaSource NONE = id -> null;

    /** The schema with a fingerprint, or null. One with another fingerprint is refused. */
    @Nullable
    Schema find(long id);
}
