package dev.touchstone.serialization.processor;

import com.hazelcast.config.SerializationConfig;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.serialization.impl.compact.Schema;
import com.hazelcast.internal.serialization.impl.compact.SchemaService;
import com.hazelcast.nio.serialization.compact.CompactSerializer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The real Hazelcast, without a cluster, with some serializers. */
final class Peer {
    private final Map<Long, Schema> schemas;
    private final InternalSerializationService service;

    Peer(CompactSerializer<?>... serializers) {
        this(new ConcurrentHashMap<>(), serializers);
    }

    private Peer(Map<Long, Schema> schemas, CompactSerializer<?>... serializers) {
        this.schemas = schemas;
        SerializationConfig config = new SerializationConfig();
        for (CompactSerializer<?> serializer : serializers) {
            config.getCompactSerializationConfig().addSerializer(serializer);
        }
        DefaultSerializationServiceBuilder builder = new DefaultSerializationServiceBuilder();
        builder.setConfig(config);
        builder.setSchemaService(new Schemas());
        service = builder.build();
    }

    /** One that knows the same schemas, with other serializers. */
    Peer withOther(CompactSerializer<?>... serializers) {
        return new Peer(schemas, serializers);
    }

    byte[] encode(Object value) {
        return service.toData(value).toByteArray();
    }

    Object decode(byte[] bytes) {
        return service.toObject(new HeapData(bytes));
    }

    private final class Schemas implements SchemaService {
        @Override
        public @Nullable Schema get(long schemaId) {
            return schemas.get(schemaId);
        }

        @Override
        public void put(Schema schema) {
            schemas.put(schema.getSchemaId(), schema);
        }

        @Override
        public void putLocal(Schema schema) {
            put(schema);
        }
    }
}
