package dev.touchstone.serialization.hazelcast;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.HazelcastClientNotActiveException;
import com.hazelcast.client.impl.clientside.HazelcastClientInstanceImpl;
import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.spi.impl.ClientInvocation;
import com.hazelcast.core.EntryEvent;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.instance.impl.HazelcastInstanceImpl;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.internal.nio.BufferObjectDataOutput;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.DataSerializerHook;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.serialization.impl.compact.SchemaService;
import com.hazelcast.map.IMap;
import com.hazelcast.map.impl.DataAwareEntryEvent;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.query.impl.QueryableEntry;
import dev.touchstone.serialization.exception.CompactSchemaException;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
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
                Schema known = firstOf(members, bridge -> {
                    for (var schema : allSchemas(bridge.member())) {
                        if (schema.getSchemaId() == id) {
                            return inward(id, schema);
                        }
                    }
                    return null;
                });
                return known != null
                        ? known
                        : firstOf(
                                members.isEmpty() ? HazelcastClient.getAllHazelcastClients() : members,
                                bridge -> bridge.find(id));
            }

            @Override
            public boolean hasField(String name) {
                Collection<HazelcastInstance> members = Hazelcast.getAllHazelcastInstances();
                return members.isEmpty()
                        || firstOf(members, bridge -> bridge.hasField(name) ? Boolean.TRUE : null) != null;
            }
        };
    }

    /** Returns the first answer of some instances. Those that are being shut down have none; another may still have it. */
    private static <T> @Nullable T firstOf(
            Collection<HazelcastInstance> instances, Function<HazelcastBridge, @Nullable T> question) {
        for (HazelcastInstance each : instances) {
            try {
                T answer = question.apply(of(each));
                if (answer != null) {
                    return answer;
                }
            } catch (HazelcastInstanceNotActiveException | HazelcastClientNotActiveException e) {
                // The next one is asked.
            }
        }
        return null;
    }

    /** Returns the form in which a map takes a value that is serialized already. */
    static Object toData(byte[] record) {
        return new HeapData(record);
    }

    /** Returns the object that bytes stand for, by Hazelcast's serialization. */
    Object toObject(byte[] bytes) {
        SerializationService service =
                client != null ? client.getSerializationService() : member().getSerializationService();
        return service.toObject(new HeapData(bytes));
    }

    /**
     * Returns the value of an entry as a query or a listener sees it, on the member that holds it, or null if it has none. These may be the very
     * bytes of its store.
     */
    static byte @Nullable [] valueBytes(Map.Entry<?, ?> entry) {
        return bytes(queryable(entry).getValueData());
    }

    private static QueryableEntry<?, ?> queryable(Map.Entry<?, ?> entry) {
        if (entry instanceof QueryableEntry<?, ?> queryable) {
            return queryable;
        }
        throw new HazelcastBridgeException(
                "not an entry of a query: class=" + entry.getClass().getName());
    }

    /** Returns a copy of the key of an entry that a query found, as it is stored. */
    static byte[] copyOfKey(Map.Entry<?, ?> entry) {
        return Objects.requireNonNull(queryable(entry).getKeyData(), "key")
                .toByteArray()
                .clone();
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

    /** Serialization without a cluster, for objects that write and read themselves. */
    private static final class Standalone {
        static final InternalSerializationService SERVICE = new DefaultSerializationServiceBuilder().build();
    }

    /** Returns what an object writes. */
    static byte[] written(IdentifiedDataSerializable object) throws IOException {
        try (BufferObjectDataOutput out = Standalone.SERVICE.createObjectDataOutput()) {
            object.writeData(out);
            return out.toByteArray();
        }
    }

    /** Has an object read what another has written. */
    static void read(IdentifiedDataSerializable object, byte[] written) throws IOException {
        object.readData(Standalone.SERVICE.createObjectDataInput(written));
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

    /** Makes invocations: since 5.5 their constructor takes an interface of the client in place of its class. */
    static final class Invocations {
        private static final MethodHandle CONSTRUCTOR = constructor();

        private static MethodHandle constructor() {
            MethodType type = MethodType.methodType(
                    ClientInvocation.class,
                    HazelcastClientInstanceImpl.class,
                    ClientMessage.class,
                    Object.class,
                    int.class);
            for (Constructor<?> candidate : ClientInvocation.class.getConstructors()) {
                Class<?>[] parameters = candidate.getParameterTypes();
                if (parameters.length == type.parameterCount()
                        && parameters[type.parameterCount() - 1] == int.class
                        && parameters[0].isAssignableFrom(HazelcastClientInstanceImpl.class)) {
                    try {
                        return MethodHandles.publicLookup()
                                .unreflectConstructor(candidate)
                                .asType(type);
                    } catch (IllegalAccessException e) {
                        throw new HazelcastBridgeException("not accessible: constructor=" + candidate, e);
                    }
                }
            }
            throw new HazelcastBridgeException("no constructor is known: class=" + ClientInvocation.class.getName()
                    + " constructors=" + Arrays.toString(ClientInvocation.class.getConstructors()));
        }

        static ClientInvocation create(
                HazelcastClientInstanceImpl client, ClientMessage message, Object name, int partition) {
            try {
                return (ClientInvocation) CONSTRUCTOR.invokeExact(client, message, name, partition);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new HazelcastBridgeException("no invocation: name=" + name, e);
            }
        }
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
