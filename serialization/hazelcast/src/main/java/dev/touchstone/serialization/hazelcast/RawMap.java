package dev.touchstone.serialization.hazelcast;

import static java.util.Objects.requireNonNull;

import com.hazelcast.client.impl.clientside.HazelcastClientInstanceImpl;
import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.client.impl.protocol.codec.MapGetAllCodec;
import com.hazelcast.client.impl.protocol.codec.MapGetCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutIfAbsentCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutIfAbsentWithMaxIdleCodec;
import com.hazelcast.client.impl.protocol.codec.MapPutWithMaxIdleCodec;
import com.hazelcast.client.impl.protocol.codec.MapRemoveCodec;
import com.hazelcast.client.impl.protocol.codec.MapReplaceCodec;
import com.hazelcast.client.map.impl.nearcache.NearCachedClientMapProxy;
import com.hazelcast.instance.impl.HazelcastInstanceImpl;
import com.hazelcast.internal.nearcache.NearCache;
import com.hazelcast.internal.nearcache.NearCacheRecord;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.internal.serialization.SerializationService;
import com.hazelcast.internal.serialization.impl.HeapData;
import com.hazelcast.internal.util.ExceptionUtil;
import com.hazelcast.internal.util.ThreadUtil;
import com.hazelcast.map.IMap;
import com.hazelcast.map.impl.MapEntries;
import com.hazelcast.map.impl.MapService;
import com.hazelcast.map.impl.operation.MapOperation;
import com.hazelcast.map.impl.operation.MapOperationProvider;
import com.hazelcast.map.impl.proxy.MapProxyImpl;
import com.hazelcast.map.impl.proxy.NearCachedMapProxyImpl;
import com.hazelcast.spi.impl.InternalCompletableFuture;
import com.hazelcast.spi.impl.NodeEngine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a map that answer with a value, which here stays the bytes that it is. All other operations take such bytes through Hazelcast's own
 * map and need nothing of this. Thread-safe.
 *
 * <p>A near cache is used as Hazelcast's own map uses it: a value is taken from it where it is there; a read reserves the key before it
 * asks and publishes the answer, unless an invalidation came in between; a write invalidates the key, before its caller goes on.
 *
 * <p>An instance is not told of its own writes by the members, so that a value which another of its threads reads and keeps while a write is
 * under way would stay for ever. Some writes of Hazelcast's maps invalidate before they begin, or not at all: these run in {@link
 * #invalidating(Collection, Supplier)} or {@link #invalidatingAll}.
 */
final class RawMap {
    private final Access access;
    private final @Nullable NearCache<Object, Object> nearCache;

    private RawMap(Access access, @Nullable NearCache<Object, Object> nearCache) {
        this.access = access;
        this.nearCache = nearCache;
    }

    static RawMap of(HazelcastClientInstanceImpl client, IMap<?, ?> map) {
        NearCache<Object, Object> nearCache =
                map instanceof NearCachedClientMapProxy<?, ?> cached ? cached.getNearCache() : null;
        return new RawMap(new Client(client, map.getName()), nearCache);
    }

    static RawMap of(HazelcastInstanceImpl member, IMap<?, ?> map) {
        NearCache<Object, Object> nearCache =
                map instanceof NearCachedMapProxyImpl<?, ?> cached ? cached.getNearCache() : null;
        return new RawMap(new Member(member, (MapProxyImpl<?, ?>) map), nearCache);
    }

    /**
     * Times that an entry lives, in milliseconds.
     *
     * @param ttl from its last update on; 0 for ever, negative as the map is configured
     * @param maxIdle from its last use on; likewise
     */
    record Lifetime(long ttl, long maxIdle) {
        static final Lifetime DEFAULT = new Lifetime(-1, -1);
    }

    /** Begins to read a value. */
    @SuppressWarnings("ReferenceEquality") // the near cache has an object of its own for null
    Answer get(Object key) {
        Data keyData = access.key(key);
        NearCache<Object, Object> cache = nearCache;
        if (cache == null || !access.isCacheable(keyData, cache)) {
            return new Answer(access.get(keyData), this::bytes, () -> {});
        }
        Object cacheKey = cacheKey(cache, key, keyData);
        Object cached = cache.get(cacheKey);
        if (cached != null) {
            byte[] value = cached == NearCache.CACHED_AS_NULL ? null : bytesOfObject(cached);
            return new Answer(null, answer -> value, () -> {});
        }
        long reservation = cache.tryReserveForUpdate(cacheKey, keyData, NearCache.UpdateSemantic.READ_UPDATE);
        InternalCompletableFuture<?> answer;
        try {
            answer = access.get(keyData);
        } catch (RuntimeException | Error e) {
            cache.invalidate(cacheKey);
            throw e;
        }
        return new Answer(
                answer,
                response -> {
                    Data value = access.value(response);
                    if (reservation != NearCacheRecord.NOT_RESERVED) {
                        cache.tryPublishReserved(cacheKey, value, reservation, false);
                    }
                    return value == null ? null : value.toByteArray();
                },
                () -> cache.invalidate(cacheKey));
    }

    /** Returns the values of those keys that have one, with one request for each partition. */
    @SuppressWarnings("ReferenceEquality") // the near cache has an object of its own for null
    <K> Map<K, byte[]> getAll(Collection<? extends K> keys) {
        Map<K, byte[]> values = new LinkedHashMap<>();
        Map<Data, K> asked = new LinkedHashMap<>();
        Map<Object, Long> reservations = new HashMap<>();
        NearCache<Object, Object> cache = nearCache;
        try {
            for (K key : keys) {
                Data keyData = access.key(requireNonNull(key, "key"));
                if (cache != null && access.isCacheable(keyData, cache)) {
                    Object cacheKey = cacheKey(cache, key, keyData);
                    Object cached = cache.get(cacheKey);
                    if (cached != null) {
                        if (cached != NearCache.CACHED_AS_NULL) {
                            values.put(key, bytesOfObject(cached));
                        }
                        continue;
                    }
                    long reservation =
                            cache.tryReserveForUpdate(cacheKey, keyData, NearCache.UpdateSemantic.READ_UPDATE);
                    if (reservation != NearCacheRecord.NOT_RESERVED) {
                        reservations.put(cacheKey, reservation);
                    }
                }
                asked.put(keyData, key);
            }
            for (Map.Entry<Data, Data> entry : access.getAll(asked.keySet())) {
                K key = requireNonNull(asked.get(entry.getKey()), "key");
                values.put(key, entry.getValue().toByteArray());
                if (cache != null) {
                    Object cacheKey = cacheKey(cache, key, entry.getKey());
                    Long reservation = reservations.get(cacheKey);
                    if (reservation != null) {
                        cache.tryPublishReserved(cacheKey, entry.getValue(), reservation, false);
                        reservations.remove(cacheKey);
                    }
                }
            }
        } finally {
            if (cache != null) {
                reservations.keySet().forEach(cache::invalidate); // keys without a value, or all where it failed
            }
        }
        return values;
    }

    /** Begins to read a value past the near cache. */
    Answer getStored(Object key) {
        return new Answer(access.get(access.key(key)), this::bytes, () -> {});
    }

    /** Begins to set a value; the answer is the former one. */
    Answer put(Object key, byte[] record, Lifetime lifetime) {
        return write(key, keyData -> access.put(keyData, new HeapData(record), lifetime));
    }

    /** Begins to set a value where there is none; the answer is the one that is there. */
    Answer putIfAbsent(Object key, byte[] record, Lifetime lifetime) {
        return write(key, keyData -> access.putIfAbsent(keyData, new HeapData(record), lifetime));
    }

    /** Begins to replace a value; the answer is the former one, and null where nothing was replaced. */
    Answer replace(Object key, byte[] record) {
        return write(key, keyData -> access.replace(keyData, new HeapData(record)));
    }

    /** Begins to remove a value; the answer is the former one. */
    Answer remove(Object key) {
        return write(key, access::remove);
    }

    private Answer write(Object key, Function<Data, InternalCompletableFuture<?>> operation) {
        Runnable end = () -> invalidate(key);
        try {
            InternalCompletableFuture<?> answer = operation.apply(access.key(key));
            return new Answer(
                    answer,
                    response -> {
                        end.run();
                        return bytes(response);
                    },
                    end);
        } catch (RuntimeException | Error e) {
            end.run();
            throw e;
        }
    }

    /** Removes a key from the near cache, if the map has one. */
    private void invalidate(Object key) {
        NearCache<Object, Object> cache = nearCache;
        if (cache != null) {
            cache.invalidate(cacheKey(cache, key, null));
        }
    }

    /** Runs a write by Hazelcast's map, and removes its keys from the near cache when it has ended in whatever way. */
    <T> T invalidating(Collection<?> keys, Supplier<T> write) {
        if (nearCache == null) {
            return write.get();
        }
        try {
            return write.get();
        } finally {
            keys.forEach(this::invalidate);
        }
    }

    void invalidating(Collection<?> keys, Runnable write) {
        invalidating(keys, asSupplier(write));
    }

    /** Returns the stage of a write that removes its keys from the near cache before it ends. */
    <T> CompletionStage<T> invalidating(Collection<?> keys, CompletionStage<T> write) {
        return nearCache == null ? write : write.whenComplete((result, error) -> keys.forEach(this::invalidate));
    }

    /** Runs a write by Hazelcast's map that may change any entry, and empties the near cache when it has ended in whatever way. */
    <T> T invalidatingAll(Supplier<T> write) {
        NearCache<Object, Object> cache = nearCache;
        try {
            return write.get();
        } finally {
            if (cache != null) {
                cache.clear();
            }
        }
    }

    void invalidatingAll(Runnable write) {
        invalidatingAll(asSupplier(write));
    }

    private static Supplier<Boolean> asSupplier(Runnable write) {
        return () -> {
            write.run();
            return true;
        };
    }

    private Object cacheKey(NearCache<Object, Object> cache, Object key, @Nullable Data keyData) {
        return cache.isSerializeKeys() ? keyData == null ? access.key(key) : keyData : key;
    }

    /** Returns the value in a response. On a member these may be the very bytes of its store. */
    private byte @Nullable [] bytes(@Nullable Object response) {
        Data data = access.value(response);
        return data == null ? null : data.toByteArray();
    }

    /** Returns the bytes of a value from a near cache, which has objects if it is configured so. */
    private byte[] bytesOfObject(Object value) {
        return access.serialization().<Data>toData(value).toByteArray();
    }

    /** A value that was asked for. It is taken once, either way. */
    static final class Answer {
        private final @Nullable InternalCompletableFuture<?> response;
        private final Function<@Nullable Object, byte @Nullable []> end;
        private final Runnable failed;

        /** Makes the answer that a response will be, or is if there is none to wait for. */
        private Answer(
                @Nullable InternalCompletableFuture<?> response,
                Function<@Nullable Object, byte @Nullable []> end,
                Runnable failed) {
            this.response = response;
            this.end = end;
            this.failed = failed;
        }

        /** Waits for the value; an error is thrown as Hazelcast's own maps throw it. */
        byte @Nullable [] join() {
            InternalCompletableFuture<?> coming = response;
            Object come;
            try {
                come = coming == null ? null : coming.joinInternal();
            } catch (RuntimeException | Error e) {
                failed.run();
                throw e;
            }
            return end(come);
        }

        /** Returns the value; where it cannot be kept in the near cache, its reservation is given back. */
        private byte @Nullable [] end(@Nullable Object come) {
            try {
                return end.apply(come);
            } catch (RuntimeException | Error e) {
                failed.run();
                throw e;
            }
        }

        /** Returns the stage that ends with the result of a function of the value. */
        <T> CompletionStage<@Nullable T> stage(Function<byte @Nullable [], @Nullable T> function) {
            CompletableFuture<@Nullable T> stage = new CompletableFuture<>();
            InternalCompletableFuture<?> coming = response;
            if (coming == null) {
                complete(stage, null, function);
                return stage;
            }
            CompletableFuture<?> unused = coming.whenComplete((come, error) -> {
                if (error == null) {
                    complete(stage, come, function);
                } else {
                    failed.run();
                    stage.completeExceptionally(error);
                }
            });
            return stage;
        }

        private <T> void complete(
                CompletableFuture<@Nullable T> stage,
                @Nullable Object come,
                Function<byte @Nullable [], @Nullable T> function) {
            try {
                stage.complete(function.apply(end(come)));
            } catch (RuntimeException | Error e) { // of a codec: else nobody would hear of it
                stage.completeExceptionally(e);
            }
        }
    }

    /** Operations that members and clients send in their own ways. */
    private sealed interface Access {
        SerializationService serialization();

        Data key(Object key);

        /** Returns whether the near cache may have a key. */
        boolean isCacheable(Data key, NearCache<?, ?> cache);

        InternalCompletableFuture<?> get(Data key);

        List<Map.Entry<Data, Data>> getAll(Set<Data> keys);

        InternalCompletableFuture<?> put(Data key, Data value, Lifetime lifetime);

        InternalCompletableFuture<?> putIfAbsent(Data key, Data value, Lifetime lifetime);

        InternalCompletableFuture<?> replace(Data key, Data value);

        InternalCompletableFuture<?> remove(Data key);

        @Nullable
        Data value(@Nullable Object response);
    }

    /** Access by messages of the client protocol. */
    private record Client(HazelcastClientInstanceImpl client, String name) implements Access {
        @Override
        public SerializationService serialization() {
            return client.getSerializationService();
        }

        @Override
        public Data key(Object key) {
            return client.getSerializationService().toData(key);
        }

        @Override
        public boolean isCacheable(Data key, NearCache<?, ?> cache) {
            return true;
        }

        @Override
        public InternalCompletableFuture<?> get(Data key) {
            return send(key, MapGetCodec.encodeRequest(name, key, ThreadUtil.getThreadId()));
        }

        @Override
        public List<Map.Entry<Data, Data>> getAll(Set<Data> keys) {
            Map<Integer, List<Data>> partitions = new HashMap<>();
            for (Data key : keys) {
                partitions
                        .computeIfAbsent(
                                client.getClientPartitionService().getPartitionId(key), id -> new ArrayList<>())
                        .add(key);
            }
            List<InternalCompletableFuture<ClientMessage>> responses = new ArrayList<>();
            partitions.forEach((partition, some) -> responses.add(HazelcastBridge.Invocations.create(
                            client, MapGetAllCodec.encodeRequest(name, some), name, partition)
                    .invoke()));
            List<Map.Entry<Data, Data>> entries = new ArrayList<>();
            responses.forEach(response -> entries.addAll(MapGetAllCodec.decodeResponse(response.joinInternal())));
            return entries;
        }

        @Override
        public InternalCompletableFuture<?> put(Data key, Data value, Lifetime lifetime) {
            long thread = ThreadUtil.getThreadId();
            return send(
                    key,
                    lifetime.maxIdle < 0
                            ? MapPutCodec.encodeRequest(name, key, value, thread, lifetime.ttl)
                            : MapPutWithMaxIdleCodec.encodeRequest(
                                    name, key, value, thread, lifetime.ttl, lifetime.maxIdle));
        }

        @Override
        public InternalCompletableFuture<?> putIfAbsent(Data key, Data value, Lifetime lifetime) {
            long thread = ThreadUtil.getThreadId();
            return send(
                    key,
                    lifetime.maxIdle < 0
                            ? MapPutIfAbsentCodec.encodeRequest(name, key, value, thread, lifetime.ttl)
                            : MapPutIfAbsentWithMaxIdleCodec.encodeRequest(
                                    name, key, value, thread, lifetime.ttl, lifetime.maxIdle));
        }

        @Override
        public InternalCompletableFuture<?> replace(Data key, Data value) {
            return send(key, MapReplaceCodec.encodeRequest(name, key, value, ThreadUtil.getThreadId()));
        }

        @Override
        public InternalCompletableFuture<?> remove(Data key) {
            return send(key, MapRemoveCodec.encodeRequest(name, key, ThreadUtil.getThreadId()));
        }

        private InternalCompletableFuture<?> send(Data key, ClientMessage message) {
            int partition = client.getClientPartitionService().getPartitionId(key);
            return HazelcastBridge.Invocations.create(client, message, name, partition)
                    .invoke();
        }

        @Override
        public @Nullable Data value(@Nullable Object response) {
            // The answers to all these requests have the same form.
            return response == null ? null : MapGetCodec.decodeResponse((ClientMessage) response);
        }
    }

    /** Access by operations on partitions. */
    private record Member(HazelcastInstanceImpl member, MapProxyImpl<?, ?> map) implements Access {
        @Override
        public SerializationService serialization() {
            return member.getSerializationService();
        }

        @Override
        public Data key(Object key) {
            return member.getSerializationService().toData(key, map.getPartitionStrategy());
        }

        @Override
        public boolean isCacheable(Data key, NearCache<?, ?> cache) {
            NodeEngine engine = member.node.getNodeEngine();
            return cache.getNearCacheConfig().isCacheLocalEntries()
                    || engine.getLocalMember().isLiteMember()
                    || !engine.getPartitionService()
                            .isPartitionOwner(engine.getPartitionService().getPartitionId(key));
        }

        @Override
        public InternalCompletableFuture<?> get(Data key) {
            return send(key, (operations, name) -> operations.createGetOperation(name, key));
        }

        @Override
        public List<Map.Entry<Data, Data>> getAll(Set<Data> keys) {
            NodeEngine engine = member.node.getNodeEngine();
            Set<Integer> partitions = new HashSet<>();
            keys.forEach(key -> partitions.add(engine.getPartitionService().getPartitionId(key)));
            List<Map.Entry<Data, Data>> entries = new ArrayList<>();
            try {
                Map<Integer, Object> answers = engine.getOperationService()
                        .invokeOnPartitions(
                                MapService.SERVICE_NAME,
                                map.getOperationProvider()
                                        .createGetAllOperationFactory(map.getName(), List.copyOf(keys)),
                                partitions);
                for (Object answer : answers.values()) {
                    MapEntries some = member.getSerializationService().toObject(answer);
                    for (int i = 0; i < some.size(); i++) {
                        entries.add(Map.entry(some.getKey(i), some.getValue(i)));
                    }
                }
            } catch (Exception e) { // of any type, as Hazelcast's own map throws it
                throw ExceptionUtil.rethrow(e);
            }
            return entries;
        }

        @Override
        public InternalCompletableFuture<?> put(Data key, Data value, Lifetime lifetime) {
            return send(
                    key,
                    (operations, name) ->
                            operations.createPutOperation(name, key, value, lifetime.ttl, lifetime.maxIdle));
        }

        @Override
        public InternalCompletableFuture<?> putIfAbsent(Data key, Data value, Lifetime lifetime) {
            return send(
                    key,
                    (operations, name) ->
                            operations.createPutIfAbsentOperation(name, key, value, lifetime.ttl, lifetime.maxIdle));
        }

        @Override
        public InternalCompletableFuture<?> replace(Data key, Data value) {
            return send(key, (operations, name) -> operations.createReplaceOperation(name, key, value));
        }

        @Override
        public InternalCompletableFuture<?> remove(Data key) {
            return send(key, (operations, name) -> operations.createRemoveOperation(name, key));
        }

        private InternalCompletableFuture<?> send(
                Data key, BiFunction<MapOperationProvider, String, MapOperation> create) {
            MapOperation operation = create.apply(map.getOperationProvider(), map.getName());
            operation.setThreadId(ThreadUtil.getThreadId());
            NodeEngine engine = member.node.getNodeEngine();
            return engine.getOperationService()
                    .createInvocationBuilder(
                            MapService.SERVICE_NAME,
                            operation,
                            engine.getPartitionService().getPartitionId(key))
                    .setResultDeserialized(false)
                    .invoke();
        }

        @Override
        public @Nullable Data value(@Nullable Object response) {
            return response == null ? null : member.getSerializationService().toData(response);
        }
    }
}
