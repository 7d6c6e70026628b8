package dev.touchstone.serialization;

import static java.util.Objects.requireNonNull;

import dev.touchstone.serialization.exception.CompactFormatException;
import dev.touchstone.serialization.exception.CompactLimitException;
import dev.touchstone.serialization.exception.CompactSchemaException;
import dev.touchstone.serialization.exception.UnknownSchemaException;
import dev.touchstone.serialization.schema.RecordLayout;
import dev.touchstone.serialization.schema.Schema;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A serialization that turns objects into bytes and bytes into objects, by the codecs it was built with. The bytes are those of Hazelcast's {@code
 * Data} for a value: 8 bytes of header, then the record. Thread-safe. Keeps one buffer of at most 1 MiB for each thread that has written.
 */
public final class CompactSerialization {
    private final Resolver resolver;
    private final ClassTable<CompactCodec<?>> byClass;
    private final Map<String, CompactCodec<?>> byTypeName;
    private final LongTable<CompactCodec<?>> bySchema;
    private final ThreadLocal<Output> outputs;

    private CompactSerialization(Builder builder) {
        byClass = new ClassTable<>(builder.byClass);
        byTypeName = Map.copyOf(builder.byTypeName);
        Map<Long, CompactCodec<?>> own = new HashMap<>();
        byTypeName.values().forEach(codec -> own.put(codec.schema().id(), codec));
        bySchema = new LongTable<>(own);
        Limits limits = builder.limits;
        resolver = new Resolver(limits, builder.schemas, builder.source);
        outputs = ThreadLocal.withInitial(() -> new Output(limits));
    }

    /**
     * Returns a builder with no codecs, no schemas, and {@link Limits#DEFAULT}.
     *
     * @return a new builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the record of an object, by the codec of its class.
     *
     * @param value object
     * @return the record with its header, an array of its own
     * @throws CompactSchemaException if there is no codec for the class of the object
     * @throws CompactLimitException if the record would be beyond a limit
     */
    public byte[] encode(Object value) {
        return encode(value, codec(value));
    }

    /**
     * Returns the record of an object, by a codec, which need not be among those that this was built with.
     *
     * @param <T> type of the object
     * @param value object
     * @param codec codec of the object
     * @return the record with its header, an array of its own
     * @throws CompactLimitException if the record would be beyond a limit
     */
    public <T> byte[] encode(T value, CompactCodec<T> codec) {
        try {
            return output().encode(codec, value);
        } catch (StackOverflowError e) {
            throw new CompactLimitException(codec.schema().typeName(), resolver.limits.maxDepth(), e);
        }
    }

    /**
     * Puts the record of an object, by the codec of its class, at the position of a buffer, which moves behind the record. A {@code
     * MemorySegment} is written through its {@code asByteBuffer()}.
     *
     * @param value object
     * @param target buffer of any kind and byte order; left as it was where the record does not fit, or can't be written
     * @return number of bytes that were put
     * @throws CompactSchemaException if there is no codec for the class of the object
     * @throws CompactLimitException if the record has more bytes than remain in the buffer, or would be beyond a limit
     * @throws java.nio.ReadOnlyBufferException if the buffer is read-only
     */
    public int encode(Object value, ByteBuffer target) {
        CompactCodec<Object> codec = codec(value);
        try {
            return output().encode(codec, value, target);
        } catch (StackOverflowError e) {
            throw new CompactLimitException(codec.schema().typeName(), resolver.limits.maxDepth(), e);
        }
    }

    @SuppressWarnings("unchecked")
    private CompactCodec<Object> codec(Object value) {
        CompactCodec<?> codec = byClass.get(value.getClass());
        if (codec == null && value instanceof Enum<?> constant) { // a constant with a body has a class of its own
            codec = byClass.get(constant.getDeclaringClass());
        }
        if (codec == null) {
            throw CompactSchemaException.noCodec(value.getClass().getName());
        }
        return (CompactCodec<Object>) codec;
    }

    /** Returns the buffer of this thread, or a new one where a codec has called back while that is in use. */
    private Output output() {
        Output out = outputs.get();
        return out.isBusy() ? new Output(resolver.limits) : out;
    }

    /**
     * Decodes an object by the codec of the type that its record names.
     *
     * @param bytes header and record, not null; nothing may stand behind the record
     * @return the object, never null
     * @throws CompactFormatException if the bytes are not a record of their schema
     * @throws UnknownSchemaException if neither this serialization nor its source has the schema of the record
     * @throws CompactSchemaException if no codec was added for the type of the record
     * @throws dev.touchstone.serialization.exception.CompactFieldException if the codec asks for a field that the record does not have as that kind
     * @throws CompactLimitException if the record is beyond a limit
     * @throws dev.touchstone.serialization.exception.CompactObjectException if the code of the object or of its codec throws
     */
    public Object decode(byte[] bytes) {
        return decode(bytes, codecOf(bytes));
    }

    /**
     * Returns the object of the record that the rest of a buffer is, by the codec of its type. The bytes are copied first; the position of the
     * buffer moves behind them.
     *
     * @param source buffer of any kind and byte order; left as it was where the record can't be read
     * @return the object
     * @throws CompactFormatException if the bytes are no record of their schema
     * @throws UnknownSchemaException if nobody knows their schema
     * @throws CompactSchemaException if there is no codec for their type
     * @throws CompactLimitException if the bytes are beyond a limit
     */
    public Object decode(ByteBuffer source) {
        int length = source.remaining();
        if (length > resolver.limits.maxBytes()) {
            throw new CompactLimitException("maxBytes", length, resolver.limits.maxBytes());
        }
        byte[] bytes = new byte[length];
        source.get(source.position(), bytes);
        Object value = decode(bytes);
        source.position(source.position() + length);
        return value;
    }

    /**
     * Decodes an object by a codec, which need not be one of those that this serialization was built with.
     *
     * @param <T> type of the object
     * @param bytes header and record, not null; nothing may stand behind the record
     * @param codec codec of the object
     * @return the object
     * @throws CompactFormatException if the bytes are not a record of their schema
     * @throws UnknownSchemaException if neither this serialization nor its source has the schema of the record
     * @throws CompactSchemaException if the record is of another type than the codec
     * @throws dev.touchstone.serialization.exception.CompactFieldException if the codec asks for a field that the record does not have as that kind
     * @throws CompactLimitException if the record is beyond a limit
     * @throws dev.touchstone.serialization.exception.CompactObjectException if the code of the object or of its codec throws
     */
    public <T> T decode(byte[] bytes, CompactCodec<T> codec) {
        try {
            if (codec instanceof FixedLayoutCodec<T> straight
                    && bytes.length >= RecordLayout.HEADER_BYTES + RecordLayout.SCHEMA_ID_BYTES) {
                T value = straight.decode(bytes, resolver.limits);
                if (value != null) {
                    return value;
                }
            }
            return RecordReader.readAll(resolver, bytes, codec);
        } catch (StackOverflowError e) {
            throw new CompactLimitException(codec.schema().typeName(), resolver.limits.maxDepth(), e);
        }
    }

    private CompactCodec<?> codecOf(byte[] bytes) {
        int at = RecordLayout.HEADER_BYTES;
        if (bytes.length >= at + RecordLayout.SCHEMA_ID_BYTES) {
            CompactCodec<?> codec = bySchema.get(Input.int64(bytes, at));
            if (codec != null) {
                return codec;
            }
        }
        String typeName = view(bytes).schema().typeName();
        @Nullable CompactCodec<?> codec = byTypeName.get(typeName);
        if (codec == null) {
            throw CompactSchemaException.noCodec(typeName);
        }
        return codec;
    }

    /**
     * Returns a view that reads the fields of a record of any type, without a codec.
     *
     * @param bytes header and record, not null; must not change while the view is in use
     * @return a view of the record
     * @throws CompactFormatException if the bytes are not a record of their schema
     * @throws UnknownSchemaException if neither this serialization nor its source has the schema of the record
     * @throws CompactLimitException if the record is longer than the limit
     */
    public GenericView view(byte[] bytes) {
        return new GenericView(RecordReader.of(resolver, bytes));
    }

    /**
     * Returns a view that can be laid over many records of a type, one after the other.
     *
     * @param schema schema whose indexes select the fields of each record
     * @return a view that is not laid over a record yet
     */
    public RecordView newRecordView(Schema schema) {
        return new RecordView(resolver, schema);
    }

    /** A builder that collects codecs, schemas and limits for a serialization. Not thread-safe. */
    public static final class Builder {
        private final Map<Class<?>, CompactCodec<?>> byClass = new HashMap<>();
        private final Map<String, CompactCodec<?>> byTypeName = new HashMap<>();
        private final Map<Long, Schema> schemas = new HashMap<>();
        private SchemaSource source = SchemaSource.NONE;
        private Limits limits = Limits.DEFAULT;

        private Builder() {}

        /**
         * Adds a codec and its schema.
         *
         * @param codec codec to add
         * @return this builder
         * @throws IllegalArgumentException if a codec was already added for the class or for the name of the type
         */
        public Builder codec(CompactCodec<?> codec) {
            Schema schema = codec.schema();
            if (byClass.putIfAbsent(codec.type(), codec) != null
                    || byTypeName.putIfAbsent(schema.typeName(), codec) != null) {
                throw new IllegalArgumentException(
                        "a second codec: class=" + codec.type().getName() + " type=" + schema.typeName());
            }
            return schema(schema);
        }

        /**
         * Adds a schema, such as one of another version of a type, or one of records that are only viewed.
         *
         * @param schema schema to add
         * @return this builder
         */
        public Builder schema(Schema schema) {
            schemas.put(schema.id(), schema);
            return this;
        }

        /**
         * Sets the source that is asked for schemas that were not added.
         *
         * @param elsewhere source of schemas, not null
         * @return this builder
         */
        public Builder schemas(SchemaSource elsewhere) {
            source = requireNonNull(elsewhere, "elsewhere");
            return this;
        }

        /**
         * Sets the limits of records that are written and read.
         *
         * @param bounds limits, not null
         * @return this builder
         */
        public Builder limits(Limits bounds) {
            limits = requireNonNull(bounds, "bounds");
            return this;
        }

        /**
         * Builds a serialization of all that was added so far.
         *
         * @return a new serialization
         */
        public CompactSerialization build() {
            return new CompactSerialization(this);
        }
    }
}
