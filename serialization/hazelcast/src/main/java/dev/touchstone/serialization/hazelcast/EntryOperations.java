package dev.touchstone.serialization.hazelcast;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Operations of a map on single entries. Each method but those with functions is one request, and is atomic for its entry. Programs may implement
 * this for their tests; methods may be added.
 *
 * @param <K> the keys of the map
 * @param <V> the values of the map
 */
public interface EntryOperations<K, V> {
    /**
     * Returns the value of a key. With a near cache, a value that is there is not asked for.
     *
     * @param key the key, not null
     * @return the value, or null if there is none
     */
    @Nullable
    V get(K key);

    /**
     * Returns the values of some keys, those of a partition by one request.
     *
     * @param keys the keys, none of them null
     * @return those keys that have a value, with it
     */
    Map<K, V> getAll(Set<? extends K> keys);

    /**
     * Returns whether a key has a value.
     *
     * @param key the key, not null
     * @return whether it has
     */
    boolean containsKey(K key);

    /**
     * Sets a value and returns the former one.
     *
     * @param key the key, not null
     * @param value the value, not null
     * @return the former value, or null if there was none
     */
    @Nullable
    V put(K key, V value);

    /**
     * Sets a value for some time and returns the former one.
     *
     * @param key the key, not null
     * @param value the value, not null
     * @param ttl time that the entry lives; 0 for ever, negative as the map is configured
     * @param unit unit of the time
     * @return the former value, or null if there was none
     */
    @Nullable
    V put(K key, V value, long ttl, TimeUnit unit);

    /**
     * Sets a value for some time of life and of disuse, and returns the former one.
     *
     * @param key the key, not null
     * @param value the value, not null
     * @param ttl time that the entry lives; 0 for ever, negative as the map is configured
     * @param unit unit of the time
     * @param maxIdle time that the entry lives without being used; likewise
     * @param idleUnit unit of this time
     * @return the former value, or null if there was none
     */
    @Nullable
    V put(K key, V value, long ttl, TimeUnit unit, long maxIdle, TimeUnit idleUnit);

    /**
     * Sets values, as {@link #setAll} does.
     *
     * @param values the values by their keys, none of them null
     */
    void putAll(Map<? extends K, ? extends V> values);

    /**
     * Sets a value where there is none.
     *
     * @param key the key, not null
     * @param value the value, not null
     * @return the value that is there, or null if this one was set
     */
    @Nullable
    V putIfAbsent(K key, V value);

    /**
     * Sets a value for some time where there is none.
     *
     * @param key the key, not null
     * @param value the value, not null
     * @param ttl time that the entry lives; 0 for ever, negative as the map is configured
     * @param unit unit of the time
     * @return the value that is there, or null if this one was set
     */
    @Nullable
    V putIfAbsent(K key, V value, long ttl, TimeUnit unit);

    /**
     * Sets a value for some time of life and of disuse where there is none.
     *
     * @param key the key, not null
     * @param value the value, not null
     * @param ttl time that the entry lives; 0 for ever, negative as the map is configured
     * @param unit unit of the time
     * @param maxIdle time that the entry lives without being used; likewise
     * @param idleUnit unit of this time
     * @return the value that is there, or null if this one was set
     */
    @Nullable
    V putIfAbsent(K key, V value, long ttl, TimeUnit unit, long maxIdle, TimeUnit idleUnit);

    /**
     * Sets a value without sending the former one back, which makes it faster than {@link #put(Object, Object)}.
     *
     * @param key the key, not null
     * @param value the value, not null
     */
    void set(K key, V value);

    /**
     * Sets a value for some time.
     *
     * @param key the key, not null
     * @param value the value, not null
     * @param ttl time that the entry lives; 0 for ever, negative as the map is configured
     * @param unit unit of the time
     */
    void set(K key, V value, long ttl, TimeUnit unit);

    /**
     * Sets a value for some time of life and of disuse.
     *
     * @param key the key, not null
     * @param value the value, not null
     * @param ttl time that the entry lives; 0 for ever, negative as the map is configured
     * @param unit unit of the time
     * @param maxIdle time that the entry lives without being used; likewise
     * @param idleUnit unit of this time
     */
    void set(K key, V value, long ttl, TimeUnit unit, long maxIdle, TimeUnit idleUnit);

    /**
     * Sets values, those of a partition with one message. Where it throws, some of them may be set.
     *
     * @param values the values by their keys, none of them null
     */
    void setAll(Map<? extends K, ? extends V> values);

    /**
     * Sets the time that an entry lives from now on.
     *
     * @param key the key, not null
     * @param ttl time that the entry lives; 0 for ever, negative as the map is configured
     * @param unit unit of the time
     * @return whether there is such an entry
     */
    boolean setTtl(K key, long ttl, TimeUnit unit);

    /**
     * Replaces a value, where there is one.
     *
     * @param key the key, not null
     * @param value the value, not null
     * @return the former value, or null if there was none and nothing was replaced
     */
    @Nullable
    V replace(K key, V value);

    /**
     * Replaces a value, where it is the expected one: its record must be the same, byte by byte. A record of another version of the type
     * never is.
     *
     * @param key the key, not null
     * @param former the value that is expected, not null
     * @param value the value, not null
     * @return whether it was replaced
     */
    boolean replace(K key, V former, V value);

    /**
     * Removes a value and returns it.
     *
     * @param key the key, not null
     * @return the former value, or null if there was none
     */
    @Nullable
    V remove(K key);

    /**
     * Removes a value, where it is the expected one, as {@link #replace(Object, Object, Object)} compares.
     *
     * @param key the key, not null
     * @param former the value that is expected, not null
     * @return whether it was removed
     */
    boolean remove(K key, V former);

    /**
     * Removes a value without sending it back, which makes it faster than {@link #remove(Object)}.
     *
     * @param key the key, not null
     */
    void delete(K key);

    /**
     * Removes a value from memory; a map store keeps it.
     *
     * @param key the key, not null
     * @return whether there was one
     */
    boolean evict(K key);

    /**
     * Sets the value that a function makes, where there is none. Takes two requests, and two more whenever somebody else changes the
     * entry meanwhile.
     *
     * @param key the key, not null
     * @param make called with the key where there is no value; null makes none
     * @return the value that is there now, or null
     */
    @Nullable
    V computeIfAbsent(K key, Function<? super K, ? extends @Nullable V> make);

    /**
     * Replaces a value by what a function makes of it, where there is one. Takes two requests, and two more whenever somebody else
     * changes the entry meanwhile.
     *
     * @param key the key, not null
     * @param function called with the present value; may be called again when somebody else changed the entry meanwhile; null removes the entry
     * @return the value that is there now, or null
     */
    @Nullable
    V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function);

    /**
     * Sets what a function makes of a value, or of null where there is none. Takes two requests, and two more whenever somebody else
     * changes the entry meanwhile.
     *
     * @param key the key, not null
     * @param function called with the present value; may be called again when somebody else changed the entry meanwhile; null removes the entry
     * @return the value that is there now, or null
     */
    @Nullable
    V compute(K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function);
}
