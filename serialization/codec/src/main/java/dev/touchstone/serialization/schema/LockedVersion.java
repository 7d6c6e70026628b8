package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

/**
 * A version of a type that was accepted.
 *
 * @param descriptor descriptor of the version, not null
 * @param isBreaking whether the version was accepted although it broke a rule; later versions are not compared with the ones before it
 */
public record LockedVersion(TypeDescriptor descriptor, boolean isBreaking) {
    /** Creates a version. */
    public LockedVersion {
        requireNonNull(descriptor, "descriptor");
    }

    /**
     * Returns the schema of the version.
     *
     * @return schema of the descriptor
     */
    public Schema schema() {
        return descriptor.schema();
    }
}
