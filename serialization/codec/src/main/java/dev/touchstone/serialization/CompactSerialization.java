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
 * Makes bytes of objects and objects of bytes, by the codecs it was built with. The bytes are those of Hazelcast's {@code Data} for a value:
 * 8 bytes of header, then the record. Thread-safe; keeps a buffer for each thread that has written, of 1 MiB at most.
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

    /** Begins with no codec, no schema, and {@link Limits#DEFAULT}. */
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
            throw new CompactLimitException(resolver.limits.maxDepth(), e);
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
     */
    public int encode(Object value, ByteBuffer target) {
        try {
            return output().encode(codec(value), value, target);
        } catch (StackOverflowError e) {
            throw new CompactLimitException(resolver.limits.maxDepth(), e);
        }
    }

    @SuppressWarnings("unchecked")
    private CompactCodec<Object> codec(Object value) {
        CompactCodec<?> codec = byClass.get(value.getClass());
        if (codec == null && value instanceof Enum<?> constant) { // of a class of its own, where it has a body
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
     * The object of a record by the codec of its type.
     *
     * @throws CompactFormatException if the bytes are no record of their schema
     * @throws UnknownSchemaException if nobody knows their schema
     * @throws CompactSchemaException if there is no codec for their type
     * @throws CompactLimitException if they are beyond a limit
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

    /** The object of a record by a codec, which need not be among those this was built with; as {@link #decode(byte[])}. */
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
            throw new CompactLimitException(resolver.limits.maxDepth(), e);
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

    /** A record of any type for its fields. Throws as {@link #decode(byte[])}, but needs no codec. */
    public GenericView view(byte[] bytes) {
        return new GenericView(RecordReader.of(resolver, bytes));
    }

    /** A view to lay over many records of a type, with the indexes of a schema. */
    public RecordView newRecordView(Schema schema) {
        return new RecordView(resolver, schema);
    }

    /** Collects what a serialization knows. Not thread-safe. */
    public static final class Builder {
        private final Map<Class<?>, CompactCodec<?>> byClass = new HashMap<>();
        private final Map<String, CompactCodec<?>> byTypeName = new HashMap<>();
        private final Map<Long, Schema> schemas = new HashMap<>();
        private SchemaSource source = SchemaSource.NONE;
        private Limits limits = Limits.DEFAULT;

        private Builder() {}

        /** Adds a codec with its schema. @throws IllegalArgumentException if its class or its type's name has one */
        public Builder codec(CompactCodec<?> codec) {
            Schema schema = codec.schema();
            if (byClass.putIfAbsent(codec.type(), codec) != null
                    || byTypeName.putIfAbsent(schema.typeName(), codec) != null) {
                throw new IllegalArgumentException(
                        "a second codec: class=" + codec.type().getName() + " type=" + schema.typeName());
            }
            return schema(schema);
        }

        /** Adds a schema: of another version, or of records that are only viewed. */
        public Builder schema(Schema schema) {
            schemas.put(schema.id(), schema);
            return this;
        }

        /** Says where schemas are looked up that were not added. */
        public Builder schemas(SchemaSource elsewhere) {
            source = requireNonNull(elsewhere, "elsewhere");
            return this;
        }

        /** Sets the limits. */
        public Builder limits(Limits bounds) {
            limits = requireNonNull(bounds, "bounds");
            return this;
        }

        /** A serialization of what was added so far. */
        public CompactSerialization build() {
            return new CompactSerialization(this);
        }
    }
}
