package dev.touchstone.serialization.hazelcast;

import static java.util.Objects.requireNonNull;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import com.hazelcast.query.Predicate;
import dev.touchstone.serialization.CompactCodec;
import dev.touchstone.serialization.CompactSerialization;
import dev.touchstone.serialization.GenericView;
import dev.touchstone.serialization.SchemaSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A map of the cluster whose values a {@link CompactCodec} writes and reads, in place of Hazelcast's serialization. For everybody else the
 * values are Compact records: Hazelcast's serializers, generic records, predicates, SQL and indexes read them, and what others write is
 * read here. Keys are Hazelcast's. Thread-safe, like the map beneath; there is nothing to close.
 *
 * <p>Before a value goes out, all members have its schema and those of the records inside it. A schema is sent once, and again by
 * Hazelcast when its cluster was restarted or a client reconnects.
 *
 * <p>A read asks the member that holds the entry, past a near cache, and does not count in the map's local statistics.
 *
 * <p>Methods throw {@link dev.touchstone.serialization.CompactException} as the codec's serialization does, {@link
 * dev.touchstone.serialization.UnknownSchemaException} where the cluster does not know the schema of a value, and whatever Hazelcast throws
 * for a map.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class CompactMap<K, V> {
    private final HazelcastBridge bridge;
    private final IMap<K, Object> map;
    private final CompactCodec<V> codec;
    private final CompactSerialization serialization;

    private CompactMap(
            HazelcastBridge bridge, IMap<K, Object> map, CompactCodec<V> codec, CompactSerialization serialization) {
        this.bridge = bridge;
        this.map = map;
        this.codec = codec;
        this.serialization = serialization;
    }

    /**
     * The map with a name, for values without records inside.
     *
     * @throws HazelcastBridgeException if the instance is neither a member nor a client
     */
    public static <K, V> CompactMap<K, V> of(HazelcastInstance instance, String name, CompactCodec<V> codec) {
        HazelcastBridge bridge = HazelcastBridge.of(instance);
        CompactSerialization serialization =
                CompactSerialization.builder().codec(codec).schemas(bridge).build();
        return new CompactMap<>(bridge, instance.getMap(name), codec, serialization);
    }

    /**
     * The map with a name. The serialization must know the schemas that the codec writes, those of records inside too: without one of them
     * a value is refused before it goes out. Schemas of other versions it finds in the cluster if it was built with {@link
     * #schemas(HazelcastInstance)}.
     *
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

    /** The schemas that a cluster knows. A look-up asks the cluster only for what the instance has not seen. */
    public static SchemaSource schemas(HazelcastInstance instance) {
        return HazelcastBridge.of(instance);
    }

    /** The map beneath, for all that is not here. What it reads, Hazelcast deserializes. */
    public IMap<K, Object> map() {
        return map;
    }

    /** Sets a value. */
    public void set(K key, V value) {
        map.set(key, HazelcastBridge.toData(encode(value)));
    }

    /** Sets a value; the stage ends when the member has it. */
    public CompletionStage<Void> setAsync(K key, V value) {
        return map.setAsync(key, HazelcastBridge.toData(encode(value)));
    }

    /** Sets values, those of a partition with one message; all or, where that fails, some of them. */
    public void setAll(Map<? extends K, ? extends V> values) {
        Map<K, Object> encoded = new HashMap<>();
        values.forEach((key, value) -> encoded.put(key, HazelcastBridge.toData(encode(value))));
        map.setAll(encoded);
    }

    /**
     * Sets a record that was encoded elsewhere; only what leads to its schemas is checked.
     *
     * @param record not to be changed from now on
     */
    public void setBytes(K key, byte[] record) {
        publish(record);
        map.set(key, HazelcastBridge.toData(record));
    }

    /** Sets a value and gives the former one. */
    public @Nullable V put(K key, V value) {
        byte[] record = encode(value);
        byte[] former;
        try {
            former = bridge.await(bridge.put(map, requireNonNull(key, "key"), record));
        } finally {
            bridge.invalidate(map, key);
        }
        return decode(former);
    }

    /** The value of a key. */
    public @Nullable V get(K key) {
        return decode(read(key));
    }

    /** As {@link #get}; the value is decoded by whoever looks at it, or by one of Hazelcast's threads. */
    public CompletionStage<@Nullable V> getAsync(K key) {
        return bridge.get(map, requireNonNull(key, "key")).thenApply(answer -> decode(bridge.bytes(answer)));
    }

    /** The values of those keys that have one, asked for at once and waited for together. */
    public Map<K, V> getAll(Set<? extends K> keys) {
        Map<K, CompletableFuture<?>> answers = new LinkedHashMap<>();
        keys.forEach(key -> answers.put(key, bridge.get(map, requireNonNull(key, "key"))));
        Map<K, V> values = new LinkedHashMap<>();
        answers.forEach((key, answer) -> {
            V value = decode(bridge.await(answer));
            if (value != null) {
                values.put(key, value);
            }
        });
        return values;
    }

    /** The fields of a key's value, which may be a record of any type: nothing is decoded but what is asked for. */
    public @Nullable GenericView getView(K key) {
        byte[] record = read(key);
        return record == null ? null : serialization.view(record);
    }

    /** A key's value as it is stored. */
    public byte @Nullable [] getBytes(K key) {
        byte[] record = read(key);
        return record == null ? null : record.clone();
    }

    /**
     * The values of all entries that fit. Members send them as they are stored: this jar and the codec's must be on their class path.
     *
     * @throws DamagedEntryException if a {@link FieldPredicate} met a value that it could not compare
     */
    public List<V> values(Predicate<K, ?> predicate) {
        List<V> values = new ArrayList<>();
        for (byte[] record : map.project(new ValueBytes<K, Object>(), cast(predicate))) {
            values.add(serialization.decode(record, codec));
        }
        return values;
    }

    /** A predicate takes entries, and none of its values can be told from another before it is read. */
    @SuppressWarnings("unchecked")
    private static <K> Predicate<K, Object> cast(Predicate<K, ?> predicate) {
        return (Predicate<K, Object>) predicate;
    }

    private byte @Nullable [] read(K key) {
        return bridge.await(bridge.get(map, requireNonNull(key, "key")));
    }

    private byte[] encode(V value) {
        byte[] record = serialization.encode(value, codec);
        publish(record);
        return record;
    }

    private void publish(byte[] record) {
        Schemas.of(serialization.view(record), bridge::publish);
    }

    private @Nullable V decode(byte @Nullable [] record) {
        return record == null ? null : serialization.decode(record, codec);
    }
}
