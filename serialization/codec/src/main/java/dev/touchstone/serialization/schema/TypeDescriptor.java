package dev.touchstone.serialization.schema;

import static java.util.Objects.requireNonNull;

import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.exception.CompactLockException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

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
    /** End of the name of a descriptor's file. */
    public static final String SUFFIX = ".schema";
    /** Maximum length of a descriptor's file, in bytes. */
    public static final int MAX_BYTES = 8 << 20;

    private static final byte FIRST_OF_TEXT = '#';

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
     * Reads a descriptor from a file.
     *
     * @param file path of the file
     * @return descriptor; one of which only the schema is known, if an older annotation processor wrote the file
     * @throws IOException if the file cannot be read or is larger than {@link #MAX_BYTES}
     * @throws CompactLockException if the file holds no descriptor; the message names the file
     */
    public static TypeDescriptor read(Path file) throws IOException {
        long size = Files.size(file);
        if (size > MAX_BYTES) {
            throw new IOException("descriptor is too large: file=" + file + " bytes=" + size + " max=" + MAX_BYTES);
        }
        byte[] bytes = Files.readAllBytes(file);
        try {
            return bytes.length > 0 && bytes[0] == FIRST_OF_TEXT
                    ? parse(StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString())
                    : ofSchema(SchemaFormat.decode(bytes));
        } catch (CharacterCodingException e) {
            throw new CompactLockException(file, new CompactLockException("not UTF-8", 1));
        } catch (CompactException e) {
            throw new CompactLockException(file, e);
        }
    }

    /**
     * Reads all descriptors in a folder and below, such as the folder {@code META-INF/compact} that a compilation wrote. Files whose names do not end
     * in {@link #SUFFIX} are left out.
     *
     * @param folder path of the folder
     * @return modifiable list of descriptors in the order of the paths of their files; empty if there are none
     * @throws IOException if the folder or a file in it cannot be read, or a file is larger than {@link #MAX_BYTES}
     * @throws CompactLockException if a file holds no descriptor; the message names the file
     */
    public static List<TypeDescriptor> readAll(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(file -> file.getFileName().toString().endsWith(SUFFIX) && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        }
        List<TypeDescriptor> descriptors = new ArrayList<>(files.size());
        for (Path file : files) {
            descriptors.add(read(file));
        }
        return descriptors;
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
