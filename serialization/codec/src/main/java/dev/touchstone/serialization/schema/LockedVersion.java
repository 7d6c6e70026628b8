package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

/**
 * A schema that was accepted for a type.
 *
 * @param schema of the version
 * @param isBreaking whether it was accepted although it broke a rule: what was before it no longer counts
 */
public record LockedVersion(Schema schema, boolean isBreaking) {
    public LockedVersion {
        requireNonNull(schema, "schema");
    }
}
