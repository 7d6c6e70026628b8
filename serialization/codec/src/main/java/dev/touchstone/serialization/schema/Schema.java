package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

import dev.touchstone.serialization.exception.CompactSchemaException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The name of a type and its fields, with the fingerprint by which records refer to it. Immutable. Fields are sorted by name, as
 * {@link String#compareTo} orders; a field's index is its place in that order. Two schemas are equal when name and fields are, in whatever
 * order they were given.
 */
public final class Schema {
    private static final int HASH_SPREAD = 0x9e3779b9;
    private static final int EMPTY = -1;

    private final String typeName;
    private final List<FieldDescriptor> fields;
    private final long id;
    private final RecordLayout layout;
    /** Indexes of fields, each at its name's hash or behind it, with half of the places free. */
    private final int[] indexes;

    private Schema(String typeName, List<FieldDescriptor> sorted) {
        this.typeName = typeName;
        this.fields = sorted;
        id = SchemaFingerprint.of(typeName, sorted);
        layout = layout(sorted);
        indexes = indexes(sorted);
    }

    /**
     * The schema of a type with these fields, in any order.
     *
     * @throws CompactSchemaException if two fields have the same name
     */
    public static Schema of(String typeName, List<FieldDescriptor> fields) {
        requireNonNull(typeName, "typeName");
        List<FieldDescriptor> sorted = new ArrayList<>(fields);
        sorted.sort(Comparator.comparing(FieldDescriptor::name));
        for (int i = 1; i < sorted.size(); i++) {
            if (sorted.get(i).name().equals(sorted.get(i - 1).name())) {
                throw CompactSchemaException.duplicateField(
                        typeName, sorted.get(i).name());
            }
        }
        return new Schema(typeName, List.copyOf(sorted));
    }

    /**
     * The schema that somebody else says has the fingerprint {@code id}.
     *
     * @throws CompactSchemaException if it has another, or if two fields have the same name
     */
    public static Schema verified(long id, String typeName, List<FieldDescriptor> fields) {
        return of(typeName, fields).requireId(id);
    }

    /** Begins a schema without fields. */
    public static Builder builder(String typeName) {
        return new Builder(typeName);
    }

    private static RecordLayout layout(List<FieldDescriptor> fields) {
        byte[] kinds = new byte[fields.size()];
        int[] sizes = new int[fields.size()];
        for (int i = 0; i < sizes.length; i++) {
            FieldKind kind = fields.get(i).kind();
            kinds[i] = (byte) kind.id();
            sizes[i] = kind.fixedBytes();
        }
        return new RecordLayout(kinds, sizes);
    }

    private static int[] indexes(List<FieldDescriptor> fields) {
        int[] indexes = new int[Integer.highestOneBit(Math.max(1, fields.size())) << 2];
        Arrays.fill(indexes, EMPTY);
        for (int i = 0; i < fields.size(); i++) {
            int at = slot(fields.get(i).name(), indexes);
            while (indexes[at] != EMPTY) {
                at = (at + 1) & (indexes.length - 1);
            }
            indexes[at] = i;
        }
        return indexes;
    }

    private static int slot(String name, int[] indexes) {
        return (name.hashCode() * HASH_SPREAD) >>> (Integer.numberOfLeadingZeros(indexes.length) + 1);
    }

    public String typeName() {
        return typeName;
    }

    /** All fields, sorted by name. */
    public List<FieldDescriptor> fields() {
        return fields;
    }

    /** The field with an index. */
    public FieldDescriptor field(int index) {
        return fields.get(index);
    }

    /** The fingerprint of name and fields. */
    public long id() {
        return id;
    }

    /** The index of the field with a name, or -1. */
    public int indexOf(String fieldName) {
        int[] table = indexes;
        for (int at = slot(fieldName, table); ; at = (at + 1) & (table.length - 1)) {
            int index = table[at];
            if (index == EMPTY || fields.get(index).name().equals(fieldName)) {
                return index;
            }
        }
    }

    /**
     * Returns the kind of a field.
     *
     * @param fieldName name of the field
     * @return the kind, or nothing where the schema has no such field
     */
    public Optional<FieldKind> kindOf(String fieldName) {
        int index = indexOf(fieldName);
        return index < 0 ? Optional.empty() : Optional.of(fields.get(index).kind());
    }

    /** This schema, where it has the fingerprint that it was asked for by. @throws CompactSchemaException if not */
    public Schema requireId(long expected) {
        if (id != expected) {
            throw CompactSchemaException.forged(typeName, expected, id);
        }
        return this;
    }

    /** Where the fields stand in a record: for the codec itself. */
    public RecordLayout layout() {
        return layout;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof Schema schema
                        && id == schema.id
                        && typeName.equals(schema.typeName)
                        && fields.equals(schema.fields));
    }

    @Override
    public int hashCode() {
        return Long.hashCode(id);
    }

    @Override
    public String toString() {
        return typeName + "#" + Long.toHexString(id) + fields;
    }

    /** Collects the fields of a schema. Not thread-safe. */
    public static final class Builder {
        private final String typeName;
        private final List<FieldDescriptor> fields = new ArrayList<>();

        private Builder(String typeName) {
            this.typeName = typeName;
        }

        /** Adds a field. */
        public Builder field(String name, FieldKind kind) {
            fields.add(new FieldDescriptor(name, kind));
            return this;
        }

        /** The schema of the fields so far. @throws CompactSchemaException if two have the same name */
        public Schema build() {
            return Schema.of(typeName, fields);
        }
    }
}
