package dev.touchstone.serialization.hazelcast;

import static dev.touchstone.serialization.hazelcast.HazelcastBridge.toData;
import static java.util.Objects.requireNonNull;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.ReadOnly;
import com.hazelcast.map.EntryProcessor;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicate;
import com.hazelcast.query.Predicates;
import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.GenericView;
import dev.touchstone.serialization.SchemaSource;
import dev.touchstone.serialization.hazelcast.RawMap.Lifetime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A map of the cluster whose values a {@link CompactCodec} writes and reads, in place of Hazelcast's serialization. It has the methods of
 * Hazelcast's {@code IMap}. For everybody else the values are Compact records: Hazelcast's serializers, generic records, predicates, SQL and
 * indexes read them, and records that others write are read here. Keys are Hazelcast's. Thread-safe, like the map beneath; there is nothing
 * to close.
 *
 * <p>Before a value goes out, all members have its schema and those of the records inside it. A schema is sent once, and again by
 * Hazelcast when its cluster was restarted or a client reconnects. A query sends the codec's own schema, so that its fields are known.
 *
 * <p>A near cache that the instance has of the map is read, filled and invalidated as {@code IMap} does it, and both may be used on one map.
 * In the binary format, which is the default, it holds records as they are; one of objects has Hazelcast's own, which are serialized again when they
 * are read here, and may then be records of another version. Reads, and writes that answer with a value, do not count in the map's local
 * statistics, except for those of the near cache.
 *
 * <p>Methods throw {@link NullPointerException} for a null, {@link dev.touchstone.serialization.exception.CompactException} as the codec's serialization
 * does, {@link dev.touchstone.serialization.exception.UnknownSchemaException} where the cluster does not know the schema of a value, and whatever
 * Hazelcast throws for a map.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class CompactMap<K, V>
        implements EntryOperations<K, V>, QueryOperations<K, V>, LockOperations<K>, AsyncOperations<K, V> {
    private final HazelcastBridge bridge;
    private final IMap<K, Object> map;
    private final RawMap raw;
    private final CompactCodec<V> codec;
    private final CompactSerialization serialization;

    private CompactMap(
            HazelcastBridge bridge, IMap<K, Object> map, CompactCodec<V> codec, CompactSerialization serialization) {
        this.bridge = bridge;
        this.map = map;
        raw = bridge.map(map);
        this.codec = codec;
        this.serialization = serialization;
    }

    /**
     * Returns the map with a name, for values without records inside.
     *
     * @param <K> the keys
     * @param <V> the values
     * @param instance a member or a client
     * @param name the map's name
     * @param codec writes and reads the values
     * @return the map
     * @throws HazelcastBridgeException if the instance is neither a member nor a client
     */
    public static <K, V> CompactMap<K, V> of(HazelcastInstance instance, String name, CompactCodec<V> codec) {
        HazelcastBridge bridge = HazelcastBridge.of(instance);
        CompactSerialization serialization =
                CompactSerialization.builder().codec(codec).schemas(bridge).build();
        return new CompactMap<>(bridge, instance.getMap(name), codec, serialization);
    }

    /**
     * Returns the map with a name. The serialization must know the schemas that the codec writes, those of records inside too: without one of
     * them a value is refused before it goes out. Schemas of other versions it finds in the cluster if it was built with {@link
     * #schemas(HazelcastInstance)}.
     *
     * @param <K> the keys
     * @param <V> the values
     * @param instance a member or a client
     * @param name the map's name
     * @param codec writes and reads the values
     * @param serialization knows the schemas, and has the limits
     * @return the map
     * @throws HazelcastBridgeException if the instance is neither a member nor a client
     */
    public static <K, V> CompactMap<K, V> of(
            HazelcastInstance instance, String name, CompactCodec<V> codec, CompactSerialization serialization) {
        return new CompactMap<>(
                HazelcastBridge.of(instance),
                instance.getMap(name),
                requireNonNull(codec, "codec"),
                requireNonNull(serialization, "serialization"));
    }

    /**
     * Returns the schemas that a cluster knows. A look-up asks the cluster only for one that the instance has not seen.
     *
     * @param instance a member or a client
     * @return the schemas
     * @throws HazelcastBridgeException if the instance is neither a member nor a client
     */
    public static SchemaSource schemas(HazelcastInstance instance) {
        return HazelcastBridge.of(instance);
    }

    /**
     * Returns the map beneath, for all that is not here. Values that are read by it are deserialized by Hazelcast.
     *
     * @return the map
     */
    public IMap<K, Object> map() {
        return map;
    }

    /**
     * Returns the fields of a key's value, which may be a record of any type: only what is asked for is decoded.
     *
     * @param key the key
     * @return the fields, or null if there is no value
     */
    public @Nullable GenericView getView(K key) {
        byte[] record = raw.get(checked(key)).join();
        return record == null ? null : serialization.view(record);
    }

    /**
     * Returns a key's value as it is stored.
     *
     * @param key the key
     * @return a copy of the record, or null if there is none
     */
    public byte @Nullable [] getBytes(K key) {
        byte[] record = raw.get(checked(key)).join();
        return record == null ? null : record.clone();
    }

    /**
     * Sets a record that was encoded elsewhere; only what leads to its schemas is checked.
     *
     * @param key the key
     * @param record not to be changed from now on
     */
    public void setBytes(K key, byte[] record) {
        publish(record);
        map.set(key, toData(record));
    }

    @Override
    public @Nullable V get(K key) {
        return decode(raw.get(checked(key)).join());
    }

    @Override
    public Map<K, V> getAll(Set<? extends K> keys) {
        Map<K, V> values = new LinkedHashMap<>();
        raw.getAll(keys).forEach((key, record) -> values.put(key, serialization.decode(record, codec)));
        return values;
    }

    @Override
    public boolean containsKey(K key) {
        return map.containsKey(checked(key));
    }

    @Override
    public @Nullable V put(K key, V value) {
        return decode(raw.put(checked(key), encode(value), Lifetime.DEFAULT).join());
    }

    @Override
    public @Nullable V put(K key, V value, long ttl, TimeUnit unit) {
        return decode(raw.put(checked(key), encode(value), lifetime(ttl, unit)).join());
    }

    @Override
    public @Nullable V put(K key, V value, long ttl, TimeUnit unit, long maxIdle, TimeUnit idleUnit) {
        return decode(raw.put(checked(key), encode(value), lifetime(ttl, unit, maxIdle, idleUnit))
                .join());
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> values) {
        Map<K, Object> encoded = encodeAll(values);
        raw.invalidating(encoded.keySet(), () -> map.putAll(encoded));
    }

    @Override
    public @Nullable V putIfAbsent(K key, V value) {
        return decode(
                raw.putIfAbsent(checked(key), encode(value), Lifetime.DEFAULT).join());
    }

    @Override
    public @Nullable V putIfAbsent(K key, V value, long ttl, TimeUnit unit) {
        return decode(raw.putIfAbsent(checked(key), encode(value), lifetime(ttl, unit))
                .join());
    }

    @Override
    public @Nullable V putIfAbsent(K key, V value, long ttl, TimeUnit unit, long maxIdle, TimeUnit idleUnit) {
        return decode(raw.putIfAbsent(checked(key), encode(value), lifetime(ttl, unit, maxIdle, idleUnit))
                .join());
    }

    @Override
    public void set(K key, V value) {
        map.set(key, toData(encode(value)));
    }

    @Override
    public void set(K key, V value, long ttl, TimeUnit unit) {
        map.set(key, toData(encode(value)), ttl, unit);
    }

    @Override
    public void set(K key, V value, long ttl, TimeUnit unit, long maxIdle, TimeUnit idleUnit) {
        map.set(key, toData(encode(value)), ttl, unit, maxIdle, idleUnit);
    }

    @Override
    public void setAll(Map<? extends K, ? extends V> values) {
        Map<K, Object> encoded = encodeAll(values);
        raw.invalidating(encoded.keySet(), () -> map.setAll(encoded));
    }

    @Override
    public boolean setTtl(K key, long ttl, TimeUnit unit) {
        return map.setTtl(key, ttl, unit);
    }

    @Override
    public @Nullable V replace(K key, V value) {
        return decode(raw.replace(checked(key), encode(value)).join());
    }

    @Override
    public boolean replace(K key, V former, V value) {
        return map.replace(key, toData(encode(former)), toData(encode(value)));
    }

    @Override
    public @Nullable V remove(K key) {
        return decode(raw.remove(checked(key)).join());
    }

    @Override
    public boolean remove(K key, V former) {
        return map.remove(checked(key), toData(encode(former)));
    }

    @Override
    public void delete(K key) {
        map.delete(checked(key));
    }

    @Override
    public boolean evict(K key) {
        return map.evict(key);
    }

    @Override
    public @Nullable V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> make) {
        requireNonNull(make, "make");
        V present = get(key);
        if (present != null) {
            return present;
        }
        V made = make.apply(key);
        if (made == null) {
            return null;
        }
        V other = putIfAbsent(key, made);
        return other == null ? made : other;
    }

    @Override
    public @Nullable V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
        requireNonNull(function, "function");
        return compute(key, (any, value) -> value == null ? null : function.apply(key, value));
    }

    @Override
    public @Nullable V compute(K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
        requireNonNull(function, "function");
        while (true) {
            byte[] former = raw.getStored(checked(key)).join(); // the bytes are compared with those that are stored
            V computed = function.apply(key, decode(former));
            boolean isDone;
            if (former == null) {
                isDone = computed == null || putIfAbsent(key, computed) == null;
            } else if (computed == null) {
                isDone = map.remove(key, toData(former));
            } else {
                isDone = map.replace(key, toData(former), toData(encode(computed)));
            }
            if (isDone) {
                return computed;
            }
        }
    }

    @Override
    public int size() {
        return map.size();
    }

    @Override
    public boolean isEmpty() {
        return map.isEmpty();
    }

    @Override
    public void clear() {
        raw.invalidatingAll(map::clear);
    }

    @Override
    public void evictAll() {
        raw.invalidatingAll(map::evictAll);
    }

    @Override
    public boolean containsValue(V value) {
        return map.containsValue(toData(encode(value)));
    }

    @Override
    public Set<K> keySet() {
        return map.keySet();
    }

    @Override
    public Set<K> keySet(Predicate<K, ?> predicate) {
        return map.keySet(ready(predicate));
    }

    @Override
    public List<V> values() {
        return values(Predicates.alwaysTrue());
    }

    @Override
    public List<V> values(Predicate<K, ?> predicate) {
        List<V> values = new ArrayList<>();
        for (byte[] record : map.project(new ValueBytes<K, Object>(), ready(predicate))) {
            values.add(serialization.decode(record, codec));
        }
        return values;
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet() {
        return entrySet(Predicates.alwaysTrue());
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet(Predicate<K, ?> predicate) {
        Map<K, V> entries = new LinkedHashMap<>();
        for (Map.Entry<byte[], byte[]> entry : map.project(new EntryBytes<K, Object>(), ready(predicate))) {
            entries.put(key(entry.getKey()), serialization.decode(entry.getValue(), codec));
        }
        return Collections.unmodifiableMap(entries).entrySet();
    }

    @Override
    public void removeAll(Predicate<K, ?> predicate) {
        Predicate<K, Object> ready = ready(predicate);
        raw.invalidatingAll(() -> map.removeAll(ready));
    }

    @Override
    public <R> @Nullable R executeOnKey(K key, EntryProcessor<K, Object, R> processor) {
        return map.executeOnKey(key, processor);
    }

    @Override
    public <R> Map<K, R> executeOnKeys(Set<K> keys, EntryProcessor<K, Object, R> processor) {
        return raw.invalidating(changed(keys, processor), () -> map.executeOnKeys(keys, processor));
    }

    @Override
    public <R> Map<K, R> executeOnEntries(EntryProcessor<K, Object, R> processor) {
        return executeOnEntries(processor, Predicates.alwaysTrue());
    }

    @Override
    public <R> Map<K, R> executeOnEntries(EntryProcessor<K, Object, R> processor, Predicate<K, ?> predicate) {
        Predicate<K, Object> ready = ready(predicate);
        return processor instanceof ReadOnly
                ? map.executeOnEntries(processor, ready)
                : raw.invalidatingAll(() -> map.executeOnEntries(processor, ready));
    }

    /** Returns those of some keys whose entries a processor may change. */
    private static <K> Set<K> changed(Set<K> keys, EntryProcessor<K, Object, ?> processor) {
        return processor instanceof ReadOnly ? Set.of() : keys;
    }

    @Override
    public UUID addEntryListener(Consumer<? super CompactMapEvent<K, V>> listener) {
        return map.addEntryListener(adapter(listener), true);
    }

    @Override
    public UUID addEntryListener(Consumer<? super CompactMapEvent<K, V>> listener, Predicate<K, ?> predicate) {
        return map.addEntryListener(adapter(listener), ready(predicate), true);
    }

    private EventAdapter<K, V> adapter(Consumer<? super CompactMapEvent<K, V>> listener) {
        return new EventAdapter<>(requireNonNull(listener, "listener"), this::decode);
    }

    @Override
    public boolean removeEntryListener(UUID id) {
        return map.removeEntryListener(id);
    }

    @Override
    public void lock(K key) {
        map.lock(key);
    }

    @Override
    public void lock(K key, long lease, TimeUnit leaseUnit) {
        map.lock(key, lease, leaseUnit);
    }

    @Override
    public boolean tryLock(K key) {
        return map.tryLock(key);
    }

    @Override
    public boolean tryLock(K key, long time, TimeUnit waitUnit) throws InterruptedException {
        return map.tryLock(key, time, waitUnit);
    }

    @Override
    public boolean tryLock(K key, long time, TimeUnit waitUnit, long lease, TimeUnit leaseUnit)
            throws InterruptedException {
        return map.tryLock(key, time, waitUnit, lease, leaseUnit);
    }

    @Override
    public void unlock(K key) {
        map.unlock(key);
    }

    @Override
    public void forceUnlock(K key) {
        map.forceUnlock(key);
    }

    @Override
    public boolean isLocked(K key) {
        return map.isLocked(key);
    }

    @Override
    public CompletionStage<@Nullable V> getAsync(K key) {
        return raw.get(checked(key)).stage(this::decode);
    }

    @Override
    public CompletionStage<@Nullable V> putAsync(K key, V value) {
        return raw.put(checked(key), encode(value), Lifetime.DEFAULT).stage(this::decode);
    }

    @Override
    public CompletionStage<@Nullable V> putAsync(K key, V value, long ttl, TimeUnit unit) {
        return raw.put(checked(key), encode(value), lifetime(ttl, unit)).stage(this::decode);
    }

    @Override
    public CompletionStage<@Nullable V> putAsync(
            K key, V value, long ttl, TimeUnit unit, long maxIdle, TimeUnit idleUnit) {
        return raw.put(checked(key), encode(value), lifetime(ttl, unit, maxIdle, idleUnit))
                .stage(this::decode);
    }

    @Override
    public CompletionStage<Void> setAsync(K key, V value) {
        return raw.invalidating(Set.of(key), map.setAsync(key, toData(encode(value))));
    }

    @Override
    public CompletionStage<Void> setAsync(K key, V value, long ttl, TimeUnit unit) {
        return raw.invalidating(Set.of(key), map.setAsync(key, toData(encode(value)), ttl, unit));
    }

    @Override
    public CompletionStage<Void> setAsync(K key, V value, long ttl, TimeUnit unit, long maxIdle, TimeUnit idleUnit) {
        return raw.invalidating(Set.of(key), map.setAsync(key, toData(encode(value)), ttl, unit, maxIdle, idleUnit));
    }

    @Override
    public CompletionStage<Void> setAllAsync(Map<? extends K, ? extends V> values) {
        Map<K, Object> encoded = encodeAll(values);
        return raw.invalidating(encoded.keySet(), map.setAllAsync(encoded));
    }

    @Override
    public CompletionStage<Void> putAllAsync(Map<? extends K, ? extends V> values) {
        Map<K, Object> encoded = encodeAll(values);
        return raw.invalidating(encoded.keySet(), map.putAllAsync(encoded));
    }

    @Override
    public CompletionStage<@Nullable V> removeAsync(K key) {
        return raw.remove(checked(key)).stage(this::decode);
    }

    @Override
    public CompletionStage<Boolean> deleteAsync(K key) {
        return raw.invalidating(Set.of(key), map.deleteAsync(key));
    }

    @Override
    public <R> CompletionStage<R> submitToKey(K key, EntryProcessor<K, Object, R> processor) {
        return raw.invalidating(changed(Set.of(key), processor), map.submitToKey(key, processor));
    }

    @Override
    public <R> CompletionStage<Map<K, R>> submitToKeys(Set<K> keys, EntryProcessor<K, Object, R> processor) {
        return raw.invalidating(changed(keys, processor), map.submitToKeys(keys, processor));
    }

    @SuppressWarnings("unchecked") // it was a key of this map
    private K key(byte[] bytes) {
        return (K) bridge.toObject(bytes);
    }

    private static <K> K checked(K key) {
        return requireNonNull(key, "key");
    }

    private static Lifetime lifetime(long ttl, TimeUnit unit) {
        return new Lifetime(millis(ttl, unit), -1);
    }

    private static Lifetime lifetime(long ttl, TimeUnit unit, long maxIdle, TimeUnit idleUnit) {
        return new Lifetime(millis(ttl, unit), millis(maxIdle, idleUnit));
    }

    /** Converts a time as Hazelcast does: a part of a millisecond is one, for 0 would be for ever. */
    private static long millis(long time, TimeUnit unit) {
        return time > 0 ? Math.max(1, unit.toMillis(time)) : unit.toMillis(time);
    }

    private Map<K, Object> encodeAll(Map<? extends K, ? extends V> values) {
        Map<K, Object> encoded = new HashMap<>();
        values.forEach((key, value) -> encoded.put(key, toData(encode(value))));
        return encoded;
    }

    private byte[] encode(V value) {
        byte[] record = serialization.encode(requireNonNull(value, "value"), codec);
        publish(record);
        return record;
    }

    private void publish(byte[] record) {
        Schemas.of(serialization.view(record), bridge::publish);
    }

    private @Nullable V decode(byte @Nullable [] record) {
        return record == null ? null : serialization.decode(record, codec);
    }

    /** Returns a predicate on entries of the map beneath; none of its values can be told from another before it is read. */
    @SuppressWarnings("unchecked")
    private Predicate<K, Object> ready(Predicate<K, ?> predicate) {
        requireNonNull(predicate, "predicate");
        bridge.publish(codec.schema()); // so that members know its fields
        return (Predicate<K, Object>) predicate;
    }
}
