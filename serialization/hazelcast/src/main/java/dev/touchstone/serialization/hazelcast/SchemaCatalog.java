package dev.touchstone.serialization.hazelcast;

import dev.touchstone.serialization.SchemaSource;

/** Schemas by their fingerprint, and whether any of them has a field. Thread-safe. */
interface SchemaCatalog extends SchemaSource {
    /** Returns whether a schema has a field with a name; true where that is not known. Takes time for each field of all schemas. */
    boolean hasField(String name);
}
