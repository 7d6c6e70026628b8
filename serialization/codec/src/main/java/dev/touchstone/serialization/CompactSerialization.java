package dev.touchstone.serialization;

import static java.util.Objects.requireNonNull;

import dev.touchstone.serialization.exception.CompactFormatException;
import dev.touchstone.serialization.exception.CompactLimitException;
import dev.touchstone.serialization.exception.CompactSchemaException;
import dev.touchstone.serialization.exception.UnknownSchemaException;
import dev.touchstone.serialization.schema.RecordLayout;
import dev.touchstone.serialization.schema.Schema;
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

    /** The record of an object by the codec of its class. @throws CompactSchemaException if there is none */
    @SuppressWarnings("unchecked")
    public byte[] encode(Object value) {
        CompactCodec<?> codec = byClass.get(value.getClass());
        if (codec == null && value instanceof Enum<?> constant) { // of a class of its own, where it has a body
            codec = byClass.get(constant.getDeclaringClass());
        }
        if (codec == null) {
            throw CompactSchemaException.noCodec(value.getClass().getName());
        }
        return encode(value, (CompactCodec<Object>) codec);
    }

    /** The record of an object by a codec, which need not be among those this was built with. */
    public <T> byte[] encode(T value, CompactCodec<T> codec) {
        Output out = outputs.get();
        try {
            return (out.isBusy() ? new Output(resolver.limits) : out).encode(codec, value);
        } catch (StackOverflowError e) {
            throw new CompactLimitException(resolver.limits.maxDepth(), e);
        }
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
        return decode(bytes, codec(bytes));
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

    private CompactCodec<?> codec(byte[] bytes) {
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
