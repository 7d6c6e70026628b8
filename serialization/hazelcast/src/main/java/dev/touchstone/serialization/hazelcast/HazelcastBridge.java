package dev.touchstone.serialization.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.HazelcastClientNotActiveException;
import com.hazelcast.client.impl.clientside.HazelcastClientInstanceImpl;
import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import com.hazelcast.core.EntryEvent;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceImpl;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.DataSerializerHook;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.serialization.impl.compact.SchemaService;
import com.hazelcast.map.IMap;
import com.hazelcast.map.impl.DataAwareEntryEvent;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.query.impl.QueryableEntry;
import dev.touchstone.serialization.exception.CompactSchemaException;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The use of Hazelcast beyond its public API, beside {@link RawMap}: values as bytes in and out, and the cluster's schemas. Thread-safe; as
 * long-lived as the instance.
 *
 * <p>Schemas go through the schema service of the instance, which sends a schema to all members before {@link #publish} returns, knows which
 * ones it has sent, and sends them again to a cluster that was restarted. Nothing is remembered beside it.
 */
final class HazelcastBridge implements SchemaCatalog {
    private final @Nullable HazelcastClientInstanceImpl client;
    private final @Nullable HazelcastInstanceImpl member;
    private final Map<Long, com.hazelcast.internal.serialization.impl.compact.Schema> converted =
            new ConcurrentHashMap<>();

    private HazelcastBridge(@Nullable HazelcastClientInstanceImpl client, @Nullable HazelcastInstanceImpl member) {
        this.client = client;
        this.member = member;
    }

    /** Returns the bridge of a member or a client. @throws HazelcastBridgeException if it is neither */
    static HazelcastBridge of(HazelcastInstance instance) {
        if (instance instanceof HazelcastClientProxy proxy) {
            HazelcastClientInstanceImpl client = proxy.client;
            if (client == null) {
                throw new HazelcastClientNotActiveException();
            }
            return new HazelcastBridge(client, null);
        }
        if (instance instanceof HazelcastClientInstanceImpl client) {
            return new HazelcastBridge(client, null);
        }
        if (instance instanceof HazelcastInstanceProxy proxy) {
            return new HazelcastBridge(null, proxy.getOriginal());
        }
        if (instance instanceof HazelcastInstanceImpl member) {
            return new HazelcastBridge(null, member);
        }
        throw new HazelcastBridgeException("neither a member nor a client: class="
                + instance.getClass().getName() + " name=" + instance.getName());
    }

    /** Returns the operations of a map that answer with values. */
    RawMap map(IMap<?, ?> map) {
        return client != null ? RawMap.of(client, map) : RawMap.of(member(), map);
    }

    private HazelcastInstanceImpl member() {
        return Objects.requireNonNull(member);
    }

    private SchemaService schemas() {
        return client != null ? client.getSchemaService() : member().node.getSchemaService();
    }

    /** Returns when all members have a schema. */
    void publish(Schema schema) {
        schemas().put(converted.computeIfAbsent(schema.id(), id -> outward(schema)));
    }

    @Override
    public @Nullable Schema find(long id) {
        com.hazelcast.internal.serialization.impl.compact.Schema theirs =
                schemas().get(id);
        return theirs == null ? null : inward(id, theirs);
    }

    /** Returns whether a schema has a field. A client cannot list its schemas, and does not know. */
    @Override
    public boolean hasField(String name) {
        return client != null || hasField(allSchemas(member()), name);
    }

    private static Collection<com.hazelcast.internal.serialization.impl.compact.Schema> allSchemas(
            HazelcastInstanceImpl member) {
        return member.node.getSchemaService().getAllSchemas();
    }

    private static boolean hasField(
            Collection<com.hazelcast.internal.serialization.impl.compact.Schema> schemas, String name) {
        return schemas.stream().anyMatch(schema -> schema.hasField(name));
    }

    /**
     * Returns the schemas of all members in this JVM, or of all clients where there is no member. A schema goes by its fingerprint, so that it
     * does not matter which cluster it comes from.
     */
    static SchemaCatalog catalogOfThisJvm() {
        return new SchemaCatalog() {
            @Override
            public @Nullable Schema find(long id) {
                List<HazelcastInstance> members = List.copyOf(Hazelcast.getAllHazelcastInstances());
                for (HazelcastInstance each : members) {
                    for (var schema : allSchemas(of(each).member())) {
                        if (schema.getSchemaId() == id) {
                            return inward(id, schema);
                        }
                    }
                }
                for (HazelcastInstance each : members.isEmpty() ? HazelcastClient.getAllHazelcastClients() : members) {
                    Schema schema = of(each).find(id);
                    if (schema != null) {
                        return schema;
                    }
                }
                return null;
            }

            @Override
            public boolean hasField(String name) {
                Collection<HazelcastInstance> members = Hazelcast.getAllHazelcastInstances();
                return members.isEmpty() || members.stream().anyMatch(each -> of(each).hasField(name));
            }
        };
    }

    /** Returns the form in which a map takes a value that is serialized already. */
    static Object toData(byte[] record) {
        return new HeapData(record);
    }

    /**
     * Returns the value of an entry as a query or a listener sees it, on the member that holds it, or null if it has none. These may be the very
     * bytes of its store.
     */
    static byte @Nullable [] valueBytes(Map.Entry<?, ?> entry) {
        if (entry instanceof QueryableEntry<?, ?> queryable) {
            return bytes(queryable.getValueData());
        }
        throw new HazelcastBridgeException(
                "not an entry of a query: class=" + entry.getClass().getName());
    }

    /** Returns a copy of the value of an entry that a query found. */
    static byte[] copyOfValue(Map.Entry<?, ?> entry) {
        return Objects.requireNonNull(valueBytes(entry), "value").clone();
    }

    /** Returns the value that an event tells of, or null. */
    static byte @Nullable [] newValue(EntryEvent<?, ?> event) {
        return event instanceof DataAwareEntryEvent<?, ?> aware ? bytes(aware.getNewValueData()) : null;
    }

    /** Returns the value that was there before an event, or null. */
    static byte @Nullable [] oldValue(EntryEvent<?, ?> event) {
        return event instanceof DataAwareEntryEvent<?, ?> aware ? bytes(aware.getOldValueData()) : null;
    }

    private static byte @Nullable [] bytes(@Nullable Data data) {
        return data == null ? null : data.toByteArray();
    }

    private static com.hazelcast.internal.serialization.impl.compact.Schema outward(Schema schema) {
        List<com.hazelcast.internal.serialization.impl.compact.FieldDescriptor> fields = new ArrayList<>();
        for (FieldDescriptor field : schema.fields()) {
            fields.add(new com.hazelcast.internal.serialization.impl.compact.FieldDescriptor(
                    field.name(),
                    com.hazelcast.nio.serialization.FieldKind.get(field.kind().id())));
        }
        var theirs = new com.hazelcast.internal.serialization.impl.compact.Schema(schema.typeName(), fields);
        if (theirs.getSchemaId() != schema.id()) {
            throw CompactSchemaException.forged(schema.typeName(), schema.id(), theirs.getSchemaId());
        }
        return theirs;
    }

    private static Schema inward(long id, com.hazelcast.internal.serialization.impl.compact.Schema theirs) {
        List<FieldDescriptor> fields = new ArrayList<>();
        for (com.hazelcast.internal.serialization.impl.compact.FieldDescriptor field : theirs.getFields()) {
            int kind = field.getKind().getId();
            fields.add(new FieldDescriptor(
                    field.getFieldName(),
                    FieldKind.ofId(kind)
                            .orElseThrow(() -> CompactSchemaException.malformed(
                                    "type=" + theirs.getTypeName() + " field=" + field.getFieldName() + " kind=" + kind,
                                    0))));
        }
        return Schema.verified(id, theirs.getTypeName(), fields);
    }

    /** Tells members and clients how to read the objects of {@link Wire}; Hazelcast finds it by its services file. */
    public static final class Hook implements DataSerializerHook {
        @Override
        public int getFactoryId() {
            return Wire.FACTORY;
        }

        @Override
        public DataSerializableFactory createFactory() {
            return Wire::create;
        }
    }
}
