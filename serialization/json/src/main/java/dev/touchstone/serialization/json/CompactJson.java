package dev.touchstone.serialization.json;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.Limits;
import dev.touchstone.serialization.SchemaSource;
import dev.touchstone.serialization.exception.CompactException;
import dev.touchstone.serialization.schema.Schema;
import dev.touchstone.serialization.schema.TypeDescriptor;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * JSON of records and records of JSON, by schemas and without classes. Thread-safe if the source of schemas is.
 *
 * <p>A record is an object. Its first members are {@code $type}, the name of its type, and {@code $schemaId}, the fingerprint of its schema
 * in hexadecimal digits, unless that is the schema of the newest known version. Then come the fields by name; a name that begins with {@code
 * $} has one {@code $} more. A null is {@code null}, an array an array. Values are
 *
 * <ul>
 *   <li>BOOLEAN: {@code true} and {@code false};
 *   <li>INT8 to INT64: numbers without fraction and exponent, with all digits also beyond 2<sup>53</sup>;
 *   <li>FLOAT32 and FLOAT64: numbers, rounded to the nearest when they are read, but {@code "NaN"}, {@code "Infinity"} and {@code
 *       "-Infinity"}; a number beyond the range is refused;
 *   <li>STRING: a string; half of a surrogate pair is refused, for a record cannot hold it;
 *   <li>DECIMAL: a string such as {@code "1.20"} or {@code "1E+3"}, which keeps digits and scale; read from a number, too; of at most 10,000
 *       characters;
 *   <li>TIME, DATE, TIMESTAMP, TIMESTAMP_WITH_TIMEZONE: strings by ISO 8601, as {@code java.time} writes and reads them;
 *   <li>ARRAY_OF_INT8: a string in Base64; read from an array of numbers, too;
 *   <li>COMPACT: an object; when it is read, {@code $type} may be left out where the descriptor of the outer type knows one type for the field.
 * </ul>
 *
 * <p>What {@link #toJson} gives for a record, {@link #fromJson(String)} makes a record with equal values of. Its bytes are the same if the values of
 * the first one stand in the order of their fields' names; the record of a generated codec has them in the order of declaration. {@link #toJson}
 * prints all that the bytes hold, and so also what a program with the known descriptors would refuse: a text that is no constant of a field's enum,
 * and records of other types than the field permits or of several schemas in one array. {@link #fromJson(String)} refuses these.
 *
 * <p>A field that the JSON lacks has the value that the descriptor states for it, else null; where neither is possible it is an error. So are
 * unknown and repeated members, and a text for a field whose descriptor lists the constants of an enum, if it is none of these.
 */
public final class CompactJson {
    private final KnownTypes types;
    private final Limits limits;
    private final CompactSerialization serialization;
    private final JsonFactory factory;

    private CompactJson(Builder builder) {
        types = new KnownTypes(builder.types, builder.source);
        limits = builder.limits;
        CompactSerialization.Builder known =
                CompactSerialization.builder().limits(limits).schemas(builder.source);
        builder.types.forEach(type -> known.schema(type.schema()));
        serialization = known.build();
        factory = factory(limits);
    }

    /** Names of members are not kept for ever: a stranger chooses them. Depth and sizes are checked by what reads the values. */
    private static JsonFactory factory(Limits limits) {
        long base64Chars = limits.maxBytes() / 3L * 4 + 4;
        int maxChars = (int) Math.min(Integer.MAX_VALUE, Math.max(base64Chars, JsonScalars.MAX_DECIMAL_CHARS));
        return JsonFactory.builder()
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(Integer.MAX_VALUE)
                        .maxStringLength(maxChars)
                        .maxNameLength(maxChars)
                        .maxNumberLength(JsonScalars.MAX_DECIMAL_CHARS)
                        .build())
                .streamWriteConstraints(StreamWriteConstraints.builder()
                        .maxNestingDepth(Integer.MAX_VALUE)
                        .build())
                .build()
                .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
                .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM)
                .disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
    }

    /**
     * Returns a builder that knows no type and has {@link Limits#DEFAULT}.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the JSON of a record, on one line.
     *
     * @param record bytes of the record, as {@link CompactSerialization#encode(Object)} gives them
     * @return one JSON object
     * @throws CompactException if the bytes are damaged, beyond a limit, or of a schema that is not known
     * @throws CompactJsonException if a decimal has more than 10,000 characters, or the thread's stack is too small
     */
    public String toJson(byte[] record) {
        StringWriter out = new StringWriter();
        try {
            write(record, out);
        } catch (IOException e) {
            throw new UncheckedIOException("a text in memory cannot fail", e);
        }
        return out.toString();
    }

    /**
     * Writes the JSON of a record, on one line and without its end. A failure may leave a part of it.
     *
     * @param record bytes of the record
     * @param out receives the text; neither flushed nor closed
     * @throws IOException if the text cannot be written
     * @throws CompactException if the bytes are damaged, beyond a limit, or of a schema that is not known
     * @throws CompactJsonException if a decimal has more than 10,000 characters, or the thread's stack is too small
     */
    public void write(byte[] record, Writer out) throws IOException {
        JsonGenerator json = factory.createGenerator(out);
        try {
            new RecordPrinter(types, json).print(serialization.view(record));
        } catch (StackOverflowError e) {
            throw tooDeep(limits, e);
        }
        json.flush();
    }

    /**
     * Returns the record of a JSON object that names its type.
     *
     * @param json exactly one object; space around it is ignored
     * @return bytes of the record
     * @throws CompactJsonException if the text is not JSON, or no record of the type
     */
    public byte[] fromJson(String json) {
        return only(Optional.empty(), json);
    }

    /**
     * Returns the record of a JSON object that need not name its type.
     *
     * @param schema schema of the record; the defaults of its fields are known if its type was given to the builder
     * @param json exactly one object; space around it is ignored
     * @return bytes of the record
     * @throws CompactJsonException if the text is not JSON, no record of the schema, or names another one
     */
    public byte[] fromJson(Schema schema, String json) {
        return only(Optional.of(schema), json);
    }

    private byte[] only(Optional<Schema> schema, String json) {
        try (JsonRecordReader objects = open(schema, new StringReader(json))) {
            Optional<byte[]> record = objects.next();
            if (record.isEmpty()) {
                throw objects.unexpected("not JSON: expected an object, got the end");
            }
            if (objects.hasMore()) {
                throw objects.unexpected("not JSON: text behind the object");
            }
            return record.get();
        } catch (IOException e) {
            throw new UncheckedIOException("a text in memory cannot fail", e);
        }
    }

    /**
     * Opens a stream of JSON objects that name their types.
     *
     * @param in JSON Lines, or objects with any space between them; closed with the reader
     * @return a reader of their records
     * @throws IOException if the text cannot be read
     */
    public JsonRecordReader reader(Reader in) throws IOException {
        return open(Optional.empty(), in);
    }

    /**
     * Opens a stream of JSON objects of one schema, which need not name it.
     *
     * @param schema schema of all records
     * @param in JSON Lines, or objects with any space between them; closed with the reader
     * @return a reader of their records
     * @throws IOException if the text cannot be read
     */
    public JsonRecordReader reader(Schema schema, Reader in) throws IOException {
        return open(Optional.of(schema), in);
    }

    private JsonRecordReader open(Optional<Schema> schema, Reader in) throws IOException {
        return new JsonRecordReader(this, factory.createParser(in), in, schema);
    }

    RecordParser parser(JsonParser parser) {
        return new RecordParser(types, limits, parser);
    }

    /** Returns the bytes of a record that was read. @throws CompactException if they are beyond a limit */
    byte[] encode(ParsedRecord record) {
        return serialization.encode(record, new ParsedRecordCodec(record.schema()));
    }

    static CompactJsonException tooDeep(Limits limits, StackOverflowError cause) {
        CompactJsonException failure = new CompactJsonException(
                CompactJsonException.Reason.LIMIT,
                "records are too deep for the thread's stack: limit=maxDepth allowed=" + limits.maxDepth(),
                "$",
                CompactJsonException.NO_PLACE,
                CompactJsonException.NO_PLACE);
        failure.initCause(cause);
        return failure;
    }

    Limits limits() {
        return limits;
    }

    /** Collector of the types that a {@link CompactJson} knows. Not thread-safe. */
    public static final class Builder {
        private final List<TypeDescriptor> types = new ArrayList<>();
        private SchemaSource source = SchemaSource.NONE;
        private Limits limits = Limits.DEFAULT;

        private Builder() {}

        /**
         * Adds a version of a type, with the defaults, constants and types of records that its descriptor lists.
         *
         * @param type the newest version of its type so far
         * @return this builder
         */
        public Builder type(TypeDescriptor type) {
            types.add(requireNonNull(type, "type"));
            return this;
        }

        /**
         * Adds versions of types, such as those of a lock.
         *
         * @param versions versions in the order of their age, as far as they are of one type
         * @return this builder
         */
        public Builder types(Collection<TypeDescriptor> versions) {
            versions.forEach(this::type);
            return this;
        }

        /**
         * Adds a version of a type of which only the schema is known.
         *
         * @param schema the newest version of its type so far
         * @return this builder
         */
        public Builder schema(Schema schema) {
            return type(TypeDescriptor.ofSchema(schema));
        }

        /**
         * Sets where schemas are looked up that were not added. No such schema counts as the newest of its type.
         *
         * @param elsewhere a container, a cluster, or any other source
         * @return this builder
         */
        public Builder schemas(SchemaSource elsewhere) {
            source = requireNonNull(elsewhere, "elsewhere");
            return this;
        }

        /**
         * Sets the limits of records in both directions.
         *
         * @param bounds limits of each record
         * @return this builder
         */
        public Builder limits(Limits bounds) {
            limits = requireNonNull(bounds, "bounds");
            return this;
        }

        /**
         * Builds a converter for the types so far.
         *
         * @return a new converter
         */
        public CompactJson build() {
            return new CompactJson(this);
        }
    }
}
