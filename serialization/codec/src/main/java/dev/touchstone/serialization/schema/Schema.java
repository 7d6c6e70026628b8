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
 * A schema: the name of a type and its fields, with the fingerprint by which records refer to the schema. Immutable. Fields are sorted by name as
 * {@link String#compareTo} orders, and the index of a field is its place in that order. Two schemas are equal if their names and fields are, in
 * whatever order the fields were given.
 */
public final class Schema {
    private static final int HASH_SPREAD = 0x9e3779b9;
    private static final int EMPTY = -1;

    private final String typeName;
    private final List<FieldDescriptor> fields;
    private final long id;
    private final RecordLayout layout;
    /** Hash table of the indexes of fields by name, with linear probing; at least half of the slots are {@link #EMPTY}. */
    private final int[] indexes;

    private Schema(String typeName, List<FieldDescriptor> sorted) {
        this.typeName = typeName;
        this.fields = sorted;
        id = SchemaFingerprint.of(typeName, sorted);
        layout = layout(sorted);
        indexes = indexes(sorted);
    }

    /**
     * Returns the schema of a type.
     *
     * @param typeName name of the type, not null
     * @param fields fields of the type, in any order
     * @return schema
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
     * Returns the schema of a type, after checking that it has the fingerprint that somebody else claims.
     *
     * @param id fingerprint that the schema must have
     * @param typeName name of the type, not null
     * @param fields fields of the type, in any order
     * @return schema
     * @throws CompactSchemaException if the fingerprint is another one, or two fields have the same name
     */
    public static Schema verified(long id, String typeName, List<FieldDescriptor> fields) {
        return of(typeName, fields).requireId(id);
    }

    /**
     * Returns a builder of a schema without fields.
     *
     * @param typeName name of the type, not null
     * @return a new builder
     */
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

    /**
     * Returns the name of the type.
     *
     * @return name, never null
     */
    public String typeName() {
        return typeName;
    }

    /**
     * Returns all fields.
     *
     * @return unmodifiable list, sorted by name
     */
    public List<FieldDescriptor> fields() {
        return fields;
    }

    /**
     * Returns the field with an index.
     *
     * @param index index of the field, from 0
     * @return field
     * @throws IndexOutOfBoundsException if there is no field with this index
     */
    public FieldDescriptor field(int index) {
        return fields.get(index);
    }

    /**
     * Returns the fingerprint of the name and the fields.
     *
     * @return fingerprint, which may be any number
     */
    public long id() {
        return id;
    }

    /**
     * Returns the index of the field with a name.
     *
     * @param fieldName name of the field
     * @return index from 0, or -1 if there is no such field
     */
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
     * @return the kind, or nothing if the schema has no such field
     */
    public Optional<FieldKind> kindOf(String fieldName) {
        int index = indexOf(fieldName);
        return index < 0 ? Optional.empty() : Optional.of(fields.get(index).kind());
    }

    /**
     * Checks that this schema has the fingerprint by which it was looked up.
     *
     * @param expected fingerprint that the schema must have
     * @return this schema
     * @throws CompactSchemaException if the fingerprint is another one
     */
    public Schema requireId(long expected) {
        if (id != expected) {
            throw CompactSchemaException.forged(typeName, expected, id);
        }
        return this;
    }

    /**
     * Returns the places of the fields in a record, for the codec's own use.
     *
     * @return layout
     */
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

    /** A builder that collects the fields of a schema. Not thread-safe. */
    public static final class Builder {
        private final String typeName;
        private final List<FieldDescriptor> fields = new ArrayList<>();

        private Builder(String typeName) {
            this.typeName = typeName;
        }

        /**
         * Adds a field.
         *
         * @param name name of the field, not null
         * @param kind kind of the field, not null
         * @return this builder
         */
        public Builder field(String name, FieldKind kind) {
            fields.add(new FieldDescriptor(name, kind));
            return this;
        }

        /**
         * Builds a schema of the fields that were added so far.
         *
         * @return schema
         * @throws CompactSchemaException if two fields have the same name
         */
        public Schema build() {
            return Schema.of(typeName, fields);
        }
    }
}
