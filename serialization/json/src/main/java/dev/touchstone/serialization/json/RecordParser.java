package dev.touchstone.serialization.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.touchstone.serialization.Limits;
import dev.touchstone.serialization.json.CompactJsonException.Reason;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.FieldMeaning;
import dev.touchstone.serialization.schema.RecordLayout;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reader of one JSON object as a record. Not thread-safe.
 *
 * <p>Invariants: what is kept of the text grows with the bytes that the record will have, which are counted from below, so
 * that a text for a record beyond the limits is refused before it is in memory. Calls are nested by records only, up to the limit for these.
 */
final class RecordParser {
    private static final int BITS = 8;

    private final KnownTypes types;
    private final Limits limits;
    private final JsonParser parser;
    private final JsonPath path = new JsonPath();
    private final Failures failures;
    private final JsonScalars scalars;
    private final RecordTypes recordTypes;
    /** Lower bound of the record's size, in bits. */
    private long bits;

    private int depth;

    RecordParser(KnownTypes types, Limits limits, JsonParser parser) {
        this.types = types;
        this.limits = limits;
        this.parser = parser;
        failures = new Failures(parser, path);
        scalars = new JsonScalars(parser, failures);
        recordTypes = new RecordTypes(types, parser, failures);
    }

    Failures failures() {
        return failures;
    }

    /**
     * Reads the object that the current token begins.
     *
     * @param schema schema that the record must have; null to have it named in the object
     */
    ParsedRecord read(@Nullable Schema schema) throws IOException {
        path.clear();
        bits = 0;
        depth = 0;
        return record(schema == null ? null : types.of(schema), List.of());
    }

    private ParsedRecord record(@Nullable TypeDescriptor exact, List<String> allowed) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw failures.value("an object");
        }
        if (++depth > limits.maxDepth()) {
            throw limit("records inside each other", depth, limits.maxDepth());
        }
        String name = parser.nextFieldName();
        RecordTypes.Stated stated = recordTypes.stated(name);
        TypeDescriptor descriptor = recordTypes.resolve(stated, exact, allowed);
        Schema schema = descriptor.schema();
        count(emptyBytes(schema.layout()) * BITS);
        @Nullable Object[] values = new @Nullable Object[schema.fields().size()];
        BitSet present = new BitSet(values.length);
        for (name = stated.next(); name != null; name = parser.nextFieldName()) {
            int field = field(schema, name);
            if (present.get(field)) {
                throw failures.of(Reason.DUPLICATE_FIELD, "member stands twice: name=" + Quoted.of(name));
            }
            present.set(field);
            path.enter(schema.field(field).name());
            parser.nextToken();
            values[field] = value(
                    schema.field(field), descriptor.meaning(schema.field(field).name()));
            path.leave();
        }
        if (parser.currentToken() != JsonToken.END_OBJECT) {
            throw failures.of(Reason.SYNTAX, "not JSON: an object does not end");
        }
        for (int field = present.nextClearBit(0); field < values.length; field = present.nextClearBit(field + 1)) {
            values[field] = missing(descriptor, schema.field(field));
        }
        depth--;
        return new ParsedRecord(schema, values);
    }

    /** Returns the bytes of a record whose fields are null as far as they may be: an object without members has as many. */
    private static long emptyBytes(RecordLayout layout) {
        int entries = layout.variableFields.length;
        return (long) RecordLayout.SCHEMA_ID_BYTES
                + layout.fixedBytes
                + (entries == 0 ? 0 : RecordLayout.LENGTH_BYTES + entries);
    }

    private int field(Schema schema, String member) {
        int field = MemberNames.isReserved(member) ? -1 : schema.indexOf(MemberNames.fieldOf(member));
        if (field < 0) {
            boolean isMisplaced = member.equals(MemberNames.TYPE) || member.equals(MemberNames.SCHEMA_ID);
            throw failures.of(
                    isMisplaced ? Reason.TYPE : Reason.UNKNOWN_FIELD,
                    (isMisplaced ? "member must stand before all fields, and once: name=" : "unknown field: name=")
                            + Quoted.of(member) + " type=" + schema.typeName());
        }
        return field;
    }

    private @Nullable Object missing(TypeDescriptor descriptor, FieldDescriptor field) {
        path.enter(field.name());
        @Nullable Object value;
        try {
            value = descriptor.meaning(field.name()).missingValue(field.kind()).orElse(null);
        } catch (IllegalArgumentException e) {
            throw failures.of(Reason.TYPE, "stated value is none of the field's kind: " + e.getMessage());
        }
        if (value == null && field.kind().isFixed()) {
            throw failures.of(
                    Reason.MISSING_FIELD,
                    "field is missing: kind=" + field.kind() + ", which has no null, and no value is stated for it");
        }
        path.leave();
        return value;
    }

    private @Nullable Object value(FieldDescriptor field, FieldMeaning meaning) throws IOException {
        FieldKind kind = field.kind();
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return nullOf(kind);
        }
        if (kind.isFixed()) {
            return scalars.read(kind); // counted with the record
        }
        if (!kind.isArray()) {
            return single(kind, meaning);
        }
        if (kind == FieldKind.ARRAY_OF_INT8 && parser.currentToken() == JsonToken.VALUE_STRING) {
            byte[] bytes = scalars.bytes();
            checkItems(bytes.length);
            count((long) bytes.length * BITS);
            return bytes;
        }
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw failures.value(kind == FieldKind.ARRAY_OF_INT8 ? "bytes in Base64, or an array" : "an array");
        }
        return TypedArrays.of(kind, items(TypedArrays.itemKind(kind), meaning));
    }

    private List<@Nullable Object> items(FieldKind kind, FieldMeaning meaning) throws IOException {
        List<@Nullable Object> items = new ArrayList<>();
        @Nullable Schema first = null;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            path.enter(items.size());
            checkItems(items.size() + 1);
            boolean isNull = parser.currentToken() == JsonToken.VALUE_NULL;
            @Nullable Object item = isNull ? nullOf(kind) : single(kind, meaning);
            count(isNull ? BITS : 0);
            if (item instanceof ParsedRecord record) {
                if (first != null && first.id() != record.schema().id()) {
                    throw failures.of(
                            Reason.TYPE,
                            "records of one array must have one schema: first=" + first.typeName() + " got="
                                    + record.schema().typeName());
                }
                first = record.schema();
            }
            items.add(item);
            path.leave();
        }
        return items;
    }

    private @Nullable Object nullOf(FieldKind kind) throws IOException {
        if (kind.isFixed()) {
            throw failures.value("a value, for " + kind + " has no null");
        }
        return null;
    }

    private Object single(FieldKind kind, FieldMeaning meaning) throws IOException {
        if (kind == FieldKind.COMPACT) {
            return record(null, meaning.format().equals(FieldMeaning.RECORD) ? meaning.values() : List.of());
        }
        Object value = scalars.read(kind);
        if (value instanceof String text) {
            boolean isKnown = !meaning.format().equals(FieldMeaning.ENUM)
                    || meaning.values().isEmpty()
                    || meaning.values().contains(text);
            if (!isKnown) {
                throw failures.value("one of " + meaning.values());
            }
            count((long) text.length() * BITS);
        } else {
            count(value instanceof Boolean ? 1 : BITS);
        }
        return value;
    }

    private void checkItems(int items) {
        if (items > limits.maxItems()) {
            throw limit("items of an array", items, limits.maxItems());
        }
    }

    private void count(long more) {
        bits += more;
        if (bits / BITS > limits.maxBytes()) {
            throw limit("bytes of the record", bits / BITS, limits.maxBytes());
        }
    }

    private CompactJsonException limit(String what, long value, long allowed) {
        return failures.of(Reason.LIMIT, "beyond a limit: " + what + ": value=" + value + " allowed=" + allowed);
    }
}
