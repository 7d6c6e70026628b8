package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

import dev.touchstone.serialization.exception.CompactLockException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A schema with the meanings that the class behind it gives to its fields: all that decides whether another version can read its records. The
 * annotation processor writes a descriptor of each type into {@code META-INF/compact}. Immutable.
 *
 * @param schema schema of the type, not null
 * @param className name of the class that the schema was read from, as {@link Class#getName} returns it; empty if only the schema is known, as in a
 *     container
 * @param meanings meanings of fields, by the names of the fields; without those that are {@link FieldMeaning#PLAIN}
 */
public record TypeDescriptor(Schema schema, String className, SortedMap<String, FieldMeaning> meanings) {
    /**
     * Creates a descriptor.
     *
     * @throws IllegalArgumentException if the schema does not have a field with a meaning, or there are meanings but no class
     */
    public TypeDescriptor {
        requireNonNull(schema, "schema");
        requireNonNull(className, "className");
        SortedMap<String, FieldMeaning> kept = new TreeMap<>(meanings);
        kept.values().removeIf(FieldMeaning.PLAIN::equals);
        for (String name : kept.keySet()) {
            if (schema.indexOf(name) < 0) {
                throw new IllegalArgumentException("no such field: type=" + schema.typeName() + " field=" + name);
            }
        }
        if (className.isEmpty() && !kept.isEmpty()) {
            throw new IllegalArgumentException("meanings without a class: type=" + schema.typeName());
        }
        meanings = Collections.unmodifiableSortedMap(kept);
    }

    /**
     * Returns a descriptor of which only the schema is known.
     *
     * @param schema schema of the type, not null
     * @return descriptor
     */
    public static TypeDescriptor ofSchema(Schema schema) {
        return new TypeDescriptor(schema, "", Collections.emptySortedMap());
    }

    /**
     * Returns descriptors of which only the schemas are known.
     *
     * @param schemas schemas of types
     * @return a descriptor for each schema, in the order of the schemas
     */
    public static List<TypeDescriptor> ofSchemas(Collection<Schema> schemas) {
        return schemas.stream().map(TypeDescriptor::ofSchema).toList();
    }

    /**
     * Parses the text of a descriptor.
     *
     * @param text the whole text of a file
     * @return descriptor
     * @throws CompactLockException if the text is not exactly what {@link #text} returns, apart from line ends of Windows
     */
    public static TypeDescriptor parse(String text) {
        return new SchemaLockFormat(text).parseDescriptor();
    }

    /**
     * Returns the text of this descriptor as it stands in a file.
     *
     * @return text, with a line end behind the last line
     */
    public String text() {
        return SchemaLockFormat.text(this);
    }

    /**
     * Returns the name of the type in its schema.
     *
     * @return name of the type
     */
    public String typeName() {
        return schema.typeName();
    }

    /**
     * Returns whether only the schema is known.
     *
     * @return whether the name of the class is empty
     */
    public boolean isBare() {
        return className.isEmpty();
    }

    /**
     * Returns the meaning of a field.
     *
     * @param fieldName name of the field
     * @return meaning, {@link FieldMeaning#PLAIN} if there is no other
     */
    public FieldMeaning meaning(String fieldName) {
        return meanings.getOrDefault(fieldName, FieldMeaning.PLAIN);
    }

    /** Returns whether this descriptor has all that another one tells. */
    boolean covers(TypeDescriptor other) {
        return equals(other) || (other.isBare() && schema.equals(other.schema));
    }

    /** Returns whether both descriptors write and read the same records, as far as they tell. The class makes no difference. */
    boolean isSameAs(TypeDescriptor other) {
        return schema.equals(other.schema) && (isBare() || other.isBare() || meanings.equals(other.meanings));
    }
}
