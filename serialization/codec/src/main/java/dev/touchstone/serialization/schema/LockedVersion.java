package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

/**
 * A version of a type that was accepted.
 *
 * @param descriptor of the version
 * @param isBreaking whether it was accepted although it broke a rule: what was before it no longer counts
 */
public record LockedVersion(TypeDescriptor descriptor, boolean isBreaking) {
    /** Makes a version. */
    public LockedVersion {
        requireNonNull(descriptor, "descriptor");
    }

    /** Returns the schema of the version. */
    public Schema schema() {
        return descriptor.schema();
    }
}
