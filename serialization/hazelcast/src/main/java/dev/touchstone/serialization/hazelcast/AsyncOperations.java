package dev.touchstone.serialization.hazelcast;

import com.hazelcast.map.EntryProcessor;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Operations of a map that its caller does not wait for. Values are encoded, and their schemas sent, before a method returns; what goes wrong then is
 * thrown, what goes wrong later ends the stage. Programs may implement this for their tests; methods may be added.
 *
 * @param <K> the keys of the map
 * @param <V> the values of the map
 */
public interface AsyncOperations<K, V> {
    /**
     * Begins to read a value; as {@link EntryOperations#get}. The value is decoded on a thread of Hazelcast.
     *
     * @param key the key, not null
     * @return the stage; its dependents run on threads of Hazelcast unless they name an executor
     */
    CompletionStage<@Nullable V> getAsync(K key);

    /**
     * Begins to set a value; as {@link EntryOperations#put(Object, Object)}.
     *
     * @param key the key, not null
     * @param value the value, not null
     * @return the stage; its dependents run on threads of Hazelcast unless they name an executor
     */
    CompletionStage<@Nullable V> putAsync(K key, V value);

    /**
     * Begins to set a value; as {@link EntryOperations#put(Object, Object, long, TimeUnit)}.
     *
     * @param key the key, not null
     * @param value the value, not null
     * @param ttl time that the entry lives; 0 for ever, negative as the map is configured
     * @param unit unit of the time
     * @return the stage; its dependents run on threads of Hazelcast unless they name an executor
     */
    CompletionStage<@Nullable V> putAsync(K key, V value, long ttl, TimeUnit unit);

    /**
     * Begins to set a value; as {@link EntryOperations#put(Object, Object, long, TimeUnit, long, TimeUnit)}.
     *
     * @param key the key, not null
     * @param value the value, not null
     * @param ttl time that the entry lives; 0 for ever, negative as the map is configured
     * @param unit unit of the time
     * @param maxIdle time that the entry lives without being used; likewise
     * @param idleUnit unit of this time
     * @return the stage; its dependents run on threads of Hazelcast unless they name an executor
     */
    CompletionStage<@Nullable V> putAsync(K key, V value, long ttl, TimeUnit unit, long maxIdle, TimeUnit idleUnit);

    /**
     * Begins to set a value; as {@link EntryOperations#set(Object, Object)}.
     *
     * @param key the key, not null
     * @param value the value, not null
     * @return the stage; its dependents run on threads of Hazelcast unless they name an executor
     */
    CompletionStage<Void> setAsync(K key, V value);

    /**
     * Begins to set a value; as {@link EntryOperations#set(Object, Object, long, TimeUnit)}.
     *
     * @param key the key, not null
     * @param value the value, not null
     * @param ttl time that the entry lives; 0 for ever, negative as the map is configured
     * @param unit unit of the time
     * @return the stage; its dependents run on threads of Hazelcast unless they name an executor
     */
    CompletionStage<Void> setAsync(K key, V value, long ttl, TimeUnit unit);

    /**
     * Begins to set a value; as {@link EntryOperations#set(Object, Object, long, TimeUnit, long, TimeUnit)}.
     *
     * @param key the key, not null
     * @param value the value, not null
     * @param ttl time that the entry lives; 0 for ever, negative as the map is configured
     * @param unit unit of the time
     * @param maxIdle time that the entry lives without being used; likewise
     * @param idleUnit unit of this time
     * @return the stage; its dependents run on threads of Hazelcast unless they name an executor
     */
    CompletionStage<Void> setAsync(K key, V value, long ttl, TimeUnit unit, long maxIdle, TimeUnit idleUnit);

    /**
     * Begins to set values; as {@link EntryOperations#setAll}.
     *
     * @param values the values by their keys, none of them null
     * @return the stage; its dependents run on threads of Hazelcast unless they name an executor
     */
    CompletionStage<Void> setAllAsync(Map<? extends K, ? extends V> values);

    /**
     * Begins to set values; as {@link EntryOperations#putAll}.
     *
     * @param values the values by their keys, none of them null
     * @return the stage; its dependents run on threads of Hazelcast unless they name an executor
     */
    CompletionStage<Void> putAllAsync(Map<? extends K, ? extends V> values);

    /**
     * Begins to remove a value; as {@link EntryOperations#remove(Object)}.
     *
     * @param key the key, not null
     * @return the stage; its dependents run on threads of Hazelcast unless they name an executor
     */
    CompletionStage<@Nullable V> removeAsync(K key);

    /**
     * Begins to remove a value; as {@link EntryOperations#delete}.
     *
     * @param key the key, not null
     * @return the stage, with whether there was a value
     */
    CompletionStage<Boolean> deleteAsync(K key);

    /**
     * Begins to run a processor for an entry; as {@link QueryOperations#executeOnKey}.
     *
     * @param <R> type of what it returns
     * @param key the key, not null
     * @param processor runs where the entry is
     * @return the stage; its dependents run on threads of Hazelcast unless they name an executor
     */
    <R> CompletionStage<R> submitToKey(K key, EntryProcessor<K, Object, R> processor);

    /**
     * Begins to run a processor for some entries; as {@link QueryOperations#executeOnKeys}.
     *
     * @param <R> type of what it returns
     * @param keys the keys, none of them null
     * @param processor runs where the entry is
     * @return the stage; its dependents run on threads of Hazelcast unless they name an executor
     */
    <R> CompletionStage<Map<K, R>> submitToKeys(Set<K> keys, EntryProcessor<K, Object, R> processor);
}
