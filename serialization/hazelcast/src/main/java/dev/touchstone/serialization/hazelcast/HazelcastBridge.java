package dev.touchstone.serialization.hazelcast;

import com.hazelcast.client.HazelcastClientNotActiveException;
import com.hazelcast.client.impl.clientside.HazelcastClientInstanceImpl;
import com.hazelcast.client.impl.clientside.HazelcastClientProxy;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutCodec;
import com.hazelcast.client.impl.spi.impl.ClientInvocation;
import com.hazelcast.client.map.impl.nearcache.NearCachedClientMapProxy;
import com.hazelcast.config.NearCacheConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.impl.HazelcastInstanceImpl;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.DataSerializerHook;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.serialization.impl.compact.SchemaService;
import com.hazelcast.internal.util.ThreadUtil;
import com.hazelcast.map.IMap;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.map.impl.proxy.MapProxyImpl;
import com.hazelcast.map.impl.proxy.NearCachedMapProxyImpl;
import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.hazelcast.query.impl.QueryableEntry;
import com.hazelcast.spi.impl.InternalCompletableFuture;
import com.hazelcast.spi.impl.NodeEngine;
import dev.touchstone.serialization.CompactSchemaException;
import dev.touchstone.serialization.SchemaSource;
import dev.touchstone.serialization.schema.FieldDescriptor;
import dev.touchstone.serialization.schema.FieldKind;
import dev.touchstone.serialization.schema.Schema;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * All that is not Hazelcast's public API: values as bytes in and out, and the cluster's schemas. Thread-safe; as long-lived as the instance.
 *
 * <p>Schemas go through the schema service of the instance, which sends a schema to all members before {@link #publish} returns, knows which
 * ones it has sent, and sends them again to a cluster that was restarted. Nothing is remembered beside it.
 */
final class HazelcastBridge implements SchemaSource {
    private static final long UNSET = -1;

    private final Access access;
    private final Map<Long, com.hazelcast.internal.serialization.impl.compact.Schema> converted =
            new ConcurrentHashMap<>();

    private HazelcastBridge(Access access) {
        this.access = access;
    }

    /** The bridge of a member or a client. @throws HazelcastBridgeException if it is neither */
    static HazelcastBridge of(HazelcastInstance instance) {
        if (instance instanceof HazelcastClientProxy proxy) {
            HazelcastClientInstanceImpl client = proxy.client;
            if (client == null) {
                throw new HazelcastClientNotActiveException();
            }
            return new HazelcastBridge(new Client(client));
        }
        if (instance instanceof HazelcastClientInstanceImpl client) {
            return new HazelcastBridge(new Client(client));
        }
        if (instance instanceof HazelcastInstanceProxy proxy) {
            return new HazelcastBridge(new Member(proxy.getOriginal()));
        }
        if (instance instanceof HazelcastInstanceImpl member) {
            return new HazelcastBridge(new Member(member));
        }
        throw new HazelcastBridgeException("neither a member nor a client: class="
                + instance.getClass().getName() + " name=" + instance.getName());
    }

    /** Returns when all members have a schema. */
    void publish(Schema schema) {
        access.schemas().put(converted.computeIfAbsent(schema.id(), id -> outward(schema)));
    }

    @Override
    public @Nullable Schema find(long id) {
        com.hazelcast.internal.serialization.impl.compact.Schema theirs =
                access.schemas().get(id);
        return theirs == null ? null : inward(id, theirs);
    }

    /** What a map takes for a value that is serialized already. */
    static Object toData(byte[] record) {
        return new HeapData(record);
    }

    /** Begins to read a value; {@link #bytes} takes what comes. */
    CompletableFuture<?> get(IMap<?, ?> map, Object key) {
        return access.get(map, key);
    }

    /** Begins to replace a value; {@link #bytes} takes what comes: the former value. */
    CompletableFuture<?> put(IMap<?, ?> map, Object key, byte[] record) {
        return access.put(map, key, new HeapData(record));
    }

    /** Removes a key from the near cache that the instance may have of a map; {@link #put} does not know of it. */
    void invalidate(IMap<?, ?> map, Object key) {
        access.invalidate(map, key);
    }

    /** The value in an answer, or null. On a member these may be the very bytes of its store. */
    byte @Nullable [] bytes(@Nullable Object answer) {
        Data data = access.value(answer);
        return data == null ? null : data.toByteArray();
    }

    /** Waits for an answer and gives its value; an error is thrown as Hazelcast's own maps throw it. */
    byte @Nullable [] await(CompletableFuture<?> answer) {
        return bytes(((InternalCompletableFuture<?>) answer).joinInternal());
    }

    /** The value of an entry as a query sees it, on the member that holds it. These may be the very bytes of its store. */
    static byte[] valueBytes(Map.Entry<?, ?> entry) {
        if (entry instanceof QueryableEntry<?, ?> queryable) {
            return queryable.getValueData().toByteArray();
        }
        throw new HazelcastBridgeException(
                "not an entry of a query: class=" + entry.getClass().getName());
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

    /** The same for members and clients. */
    private sealed interface Access {
        SchemaService schemas();

        InternalCompletableFuture<?> get(IMap<?, ?> map, Object key);

        InternalCompletableFuture<?> put(IMap<?, ?> map, Object key, Data value);

        void invalidate(IMap<?, ?> map, Object key);

        @Nullable
        Data value(@Nullable Object answer);
    }

    /** By messages of the client protocol. */
    private record Client(HazelcastClientInstanceImpl client) implements Access {
        @Override
        public SchemaService schemas() {
            return client.getSchemaService();
        }

        @Override
        public InternalCompletableFuture<?> get(IMap<?, ?> map, Object key) {
            Data keyData = client.getSerializationService().toData(key);
            return send(map, keyData, MapGetCodec.encodeRequest(map.getName(), keyData, ThreadUtil.getThreadId()));
        }

        @Override
        public InternalCompletableFuture<?> put(IMap<?, ?> map, Object key, Data value) {
            Data keyData = client.getSerializationService().toData(key);
            return send(
                    map,
                    keyData,
                    MapPutCodec.encodeRequest(map.getName(), keyData, value, ThreadUtil.getThreadId(), UNSET));
        }

        private InternalCompletableFuture<?> send(IMap<?, ?> map, Data key, ClientMessage message) {
            int partition = client.getClientPartitionService().getPartitionId(key);
            return Invocations.create(client, message, map.getName(), partition).invoke();
        }

        @Override
        public void invalidate(IMap<?, ?> map, Object key) {
            if (map instanceof NearCachedClientMapProxy<?, ?> cached) {
                NearCacheConfig config = client.getClientConfig().getNearCacheConfig(map.getName());
                boolean byData = config != null && config.isSerializeKeys();
                cached.getNearCache()
                        .invalidate(byData ? client.getSerializationService().toData(key) : key);
            }
        }

        @Override
        public @Nullable Data value(@Nullable Object answer) {
            // Answers to get and put have the same form.
            return answer == null ? null : MapGetCodec.decodeResponse((ClientMessage) answer);
        }
    }

    /** By operations on partitions. */
    private record Member(HazelcastInstanceImpl member) implements Access {
        @Override
        public SchemaService schemas() {
            return member.node.getSchemaService();
        }

        @Override
        public InternalCompletableFuture<?> get(IMap<?, ?> map, Object key) {
            MapProxyImpl<?, ?> proxy = (MapProxyImpl<?, ?>) map;
            Data keyData = key(proxy, key);
            return send(keyData, proxy.getOperationProvider().createGetOperation(map.getName(), keyData));
        }

        @Override
        public InternalCompletableFuture<?> put(IMap<?, ?> map, Object key, Data value) {
            MapProxyImpl<?, ?> proxy = (MapProxyImpl<?, ?>) map;
            Data keyData = key(proxy, key);
            return send(
                    keyData,
                    proxy.getOperationProvider().createPutOperation(map.getName(), keyData, value, UNSET, UNSET));
        }

        @Override
        public void invalidate(IMap<?, ?> map, Object key) {
            if (map instanceof NearCachedMapProxyImpl<?, ?> cached) {
                NearCacheConfig config =
                        member.getConfig().findMapConfig(map.getName()).getNearCacheConfig();
                boolean byData = config != null && config.isSerializeKeys();
                cached.getNearCache().invalidate(byData ? key(cached, key) : key);
            }
        }

        private Data key(MapProxyImpl<?, ?> proxy, Object key) {
            return member.getSerializationService().toData(key, proxy.getPartitionStrategy());
        }

        private InternalCompletableFuture<?> send(Data key, MapOperation operation) {
            operation.setThreadId(ThreadUtil.getThreadId());
            NodeEngine engine = member.node.getNodeEngine();
            int partition = engine.getPartitionService().getPartitionId(key);
            return engine.getOperationService()
                    .createInvocationBuilder(MapService.SERVICE_NAME, operation, partition)
                    .setResultDeserialized(false)
                    .invoke();
        }

        @Override
        public @Nullable Data value(@Nullable Object answer) {
            return answer == null ? null : member.getSerializationService().toData(answer);
        }
    }

    /** Makes invocations: since 5.5 their constructor takes an interface of the client in place of its class. */
    private static final class Invocations {
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

    /** Tells members and clients how to read {@link FieldPredicate} and {@link ValueBytes}; Hazelcast finds it by its services file. */
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
