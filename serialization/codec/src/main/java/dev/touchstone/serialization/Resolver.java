package dev.touchstone.serialization;

import dev.touchstone.serialization.exception.CompactSchemaException;
import dev.touchstone.serialization.exception.UnknownSchemaException;
import dev.touchstone.serialization.schema.Schema;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A source of all that a reader needs besides the bytes: schemas, the projections between versions of a type, and limits. Thread-safe; keeps the
 * schemas and projections that it has found.
 */
final class Resolver {
    final Limits limits;
    private final LongTable<Schema> known;
    private final SchemaSource source;
    private final Map<Long, Schema> found = new ConcurrentHashMap<>();
    private final Map<Versions, Projection> projections = new ConcurrentHashMap<>();

    Resolver(Limits limits, Map<Long, Schema> known, SchemaSource source) {
        this.limits = limits;
        this.known = new LongTable<>(known);
        this.source = source;
    }

    /**
     * Returns the schema that a record refers to.
     *
     * @param offset offset of the reference in the bytes, for messages
     * @throws UnknownSchemaException if the schema is not known
     */
    Schema schema(long id, int offset) {
        Schema schema = known.get(id);
        if (schema == null) {
            schema = found.get(id);
        }
        return schema == null ? ask(id, offset) : schema;
    }

    private Schema ask(long id, int offset) {
        @Nullable Schema schema = source.find(id);
        if (schema == null) {
            throw new UnknownSchemaException(id, offset);
        }
        found.put(id, schema.requireId(id));
        return schema;
    }

    /** Returns the projection from the schema of a codec to the schema of a record, which must be of the same type. */
    Projection projection(Schema wanted, Schema record) {
        if (!wanted.typeName().equals(record.typeName())) {
            throw CompactSchemaException.otherType(wanted.typeName(), record.typeName());
        }
        return projections.computeIfAbsent(
                new Versions(wanted.id(), record.id()), versions -> new Projection(wanted, record));
    }

    private record Versions(long wanted, long record) {}
}
