package dev.touchstone.serialization.json;

import dev.touchstone.serialization.SchemaSource;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The types that records may have. Immutable, and as thread-safe as the source of further schemas. */
final class KnownTypes {
    private final Map<Long, TypeDescriptor> bySchema = new HashMap<>();
    private final Map<String, TypeDescriptor> newest = new HashMap<>();
    private final SchemaSource source;

    /**
     * Creates the types.
     *
     * @param descriptors in any order of types; of one type, the last one is the newest
     * @param source asked for the schemas of other records
     */
    KnownTypes(Collection<TypeDescriptor> descriptors, SchemaSource source) {
        for (TypeDescriptor each : descriptors) {
            TypeDescriptor before = bySchema.get(each.schema().id());
            TypeDescriptor kept = before != null && each.isBare() ? before : each;
            bySchema.put(each.schema().id(), kept);
            newest.put(each.typeName(), kept);
        }
        this.source = source;
    }

    /** Returns the newest version of a type, or null. */
    @Nullable
    TypeDescriptor newest(String typeName) {
        return newest.get(typeName);
    }

    /** Returns the version with a fingerprint, or null. @throws dev.touchstone.serialization.exception.CompactSchemaException if the source lies */
    @Nullable
    TypeDescriptor find(long schemaId) {
        TypeDescriptor known = bySchema.get(schemaId);
        if (known != null) {
            return known;
        }
        Schema found = source.find(schemaId);
        return found == null ? null : TypeDescriptor.ofSchema(found.requireId(schemaId));
    }

    /** Returns the descriptor of a schema, which need not be among these. */
    TypeDescriptor of(Schema schema) {
        TypeDescriptor known = bySchema.get(schema.id());
        return known != null && known.schema().equals(schema) ? known : TypeDescriptor.ofSchema(schema);
    }

    boolean isNewest(Schema schema) {
        TypeDescriptor last = newest.get(schema.typeName());
        return last != null && last.schema().id() == schema.id();
    }
}
