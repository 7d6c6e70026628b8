package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

import dev.touchstone.serialization.exception.CompactLockException;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A schema, with what the class behind it means by its fields: all that decides whether another version can take its records. The annotation
 * processor writes one for each type into {@code META-INF/compact}. Immutable.
 *
 * @param schema of the type
 * @param className the class that the schema was read from, as {@link Class#getName}; empty where only the schema is known, as in a container
 * @param meanings of the fields that have more than their kind, by name
 */
public record TypeDescriptor(Schema schema, String className, SortedMap<String, FieldMeaning> meanings) {
    /**
     * Makes a descriptor.
     *
     * @throws IllegalArgumentException if a meaning is of a field that the schema does not have, or there is one without a class
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

    /** Returns a descriptor of which only the schema is known. */
    public static TypeDescriptor ofSchema(Schema schema) {
        return new TypeDescriptor(schema, "", Collections.emptySortedMap());
    }

    /**
     * Returns descriptors of which only the schemas are known.
     *
     * @param schemas the schemas
     * @return descriptors of which only the schemas are known
     */
    public static List<TypeDescriptor> ofSchemas(Collection<Schema> schemas) {
        return schemas.stream().map(TypeDescriptor::ofSchema).toList();
    }

    /**
     * Returns the descriptor of a text.
     *
     * @param text the whole text of a file
     * @return the descriptor of a text
     * @throws CompactLockException if the text is not exactly what {@link #text} gives; line ends may be of Windows
     */
    public static TypeDescriptor parse(String text) {
        return new SchemaLockFormat(text).parseDescriptor();
    }

    /**
     * Returns what to write to a file.
     *
     * @return what to write to a file
     */
    public String text() {
        return SchemaLockFormat.text(this);
    }

    /**
     * Returns the name of the type in its schema.
     *
     * @return the name of the type in its schema
     */
    public String typeName() {
        return schema.typeName();
    }

    /**
     * Returns whether nothing but the schema is known.
     *
     * @return whether nothing but the schema is known
     */
    public boolean isBare() {
        return className.isEmpty();
    }

    /**
     * Returns the meaning of a field; {@link FieldMeaning#PLAIN} where there is none.
     *
     * @param fieldName name of a field
     * @return the meaning of a field
     */
    public FieldMeaning meaning(String fieldName) {
        return meanings.getOrDefault(fieldName, FieldMeaning.PLAIN);
    }

    /** Returns whether this one has all that another tells. */
    boolean covers(TypeDescriptor other) {
        return equals(other) || (other.isBare() && schema.equals(other.schema));
    }

    /** Returns whether records written and read are the same, as far as both descriptors tell; which class it is makes no difference. */
    boolean isSameAs(TypeDescriptor other) {
        return schema.equals(other.schema) && (isBare() || other.isBare() || meanings.equals(other.meanings));
    }
}
