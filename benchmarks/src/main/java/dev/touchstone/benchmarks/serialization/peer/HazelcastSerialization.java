package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.config.SerializationConfig;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.serialization.impl.compact.Schema;
import com.hazelcast.internal.serialization.impl.compact.SchemaService;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.nio.serialization.Portable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The configuration of Hazelcast for the records, the same in members, clients and without a cluster. */
public final class HazelcastSerialization {
    /** The factory of what the benchmarks send to members beside records. */
    static final int BENCHMARK_FACTORY = 3;

    private HazelcastSerialization() {}

    /** Adds the explicit serializers of the records, the factories of the other formats, and that of the benchmarks' own tasks. */
    public static void configure(SerializationConfig config) {
        config.getCompactSerializationConfig()
                .addSerializer(new CompactSerializers.Small())
                .addSerializer(new CompactSerializers.Large());
        configurePortable(config);
        config.addDataSerializableFactory(SmallIdentified.FACTORY, HazelcastSerialization::newIdentified);
        config.addDataSerializableFactory(BENCHMARK_FACTORY, HazelcastSerialization::newRemote);
    }

    @SuppressWarnings("removal") // a peer for as long as it is there
    private static void configurePortable(SerializationConfig config) {
        config.addPortableFactory(SmallPortable.FACTORY, HazelcastSerialization::newPortable);
    }

    /**
     * Hazelcast's own service, without a cluster.
     *
     * @param explicit false for records that Hazelcast knows nothing of
     */
    static InternalSerializationService standalone(boolean explicit) {
        return standalone(new SerializationConfig(), explicit);
    }

    /** Hazelcast's own service with the machine's order of bytes and {@code Unsafe}, which other machines cannot read. */
    static InternalSerializationService standaloneNative() {
        return standalone(new SerializationConfig().setUseNativeByteOrder(true).setAllowUnsafe(true), true);
    }

    private static InternalSerializationService standalone(SerializationConfig config, boolean explicit) {
        if (explicit) {
            configure(config);
        }
        return new DefaultSerializationServiceBuilder()
                .setConfig(config)
                .setSchemaService(new Schemas())
                .build();
    }

    @SuppressWarnings("removal")
    private static Portable newPortable(int type) {
        return type == SmallPortable.CLASS ? new SmallPortable() : new LargePortable();
    }

    private static IdentifiedDataSerializable newIdentified(int type) {
        return type == SmallIdentified.CLASS ? new SmallIdentified() : new LargeIdentified();
    }

    private static IdentifiedDataSerializable newRemote(int type) {
        return type == NoMatchPredicate.CLASS ? new NoMatchPredicate() : new OwnedEntries();
    }

    /** Keeps schemas as a member's service does. */
    private static final class Schemas implements SchemaService {
        private final Map<Long, Schema> schemas = new ConcurrentHashMap<>();

        @Override
        @SuppressWarnings("NullAway") // says that it may be null
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
