package dev.touchstone.serialization;

import dev.touchstone.serialization.exception.CompactSchemaException;
import dev.touchstone.serialization.exception.UnknownSchemaException;
import dev.touchstone.serialization.schema.Schema;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What a reader asks for that is not in the bytes: schemas, how versions of a type relate, limits. Thread-safe; keeps what it has found. */
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

    /** The schema that the bytes at {@code offset} refer to. */
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

    Projection projection(Schema wanted, Schema record) {
        if (!wanted.typeName().equals(record.typeName())) {
            throw CompactSchemaException.otherType(wanted.typeName(), record.typeName());
        }
        return projections.computeIfAbsent(
                new Versions(wanted.id(), record.id()), versions -> new Projection(wanted, record));
    }

    private record Versions(long wanted, long record) {}
}
