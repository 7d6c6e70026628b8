package dev.touchstone.serialization.hazelcast;

import com.hazelcast.map.EntryProcessor;
import com.hazelcast.query.Predicate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Operations of a map on many entries at once. Queries see each entry at some moment while they run, not all at the same moment. Programs may
 * implement this for their tests; methods may be added.
 *
 * @param <K> the keys of the map
 * @param <V> the values of the map
 */
public interface QueryOperations<K, V> {
    /**
     * Returns the number of entries.
     *
     * @return the number, or {@link Integer#MAX_VALUE} if it is greater
     */
    int size();

    /**
     * Returns whether there is no entry.
     *
     * @return whether there is none
     */
    boolean isEmpty();

    /**
     * Removes all entries.
     *
     */
    void clear();

    /**
     * Removes all entries from memory that are not locked; a map store keeps them.
     *
     */
    void evictAll();

    /**
     * Returns whether an entry has a value, whose record must be the same, byte by byte. Looks at all entries.
     *
     * @param value the value, not null
     * @return whether one has
     */
    boolean containsValue(V value);

    /**
     * Returns all keys.
     *
     * @return a copy
     */
    Set<K> keySet();

    /**
     * Returns the keys of the entries that fit.
     *
     * @param predicate chooses entries; of Hazelcast or a {@link FieldPredicate}
     * @return a copy
     */
    Set<K> keySet(Predicate<K, ?> predicate);

    /**
     * Returns all values. Members send them as they are stored: the members need this jar and the codec's.
     *
     * @return a copy
     */
    List<V> values();

    /**
     * Returns the values of the entries that fit. Members send them as they are stored: the members need this jar and the codec's.
     *
     * @param predicate chooses entries; of Hazelcast or a {@link FieldPredicate}
     * @return a copy
     * @throws DamagedEntryException if a {@link FieldPredicate} met a value that it could not compare
     * @throws IllegalArgumentException if the predicate is for pages
     */
    List<V> values(Predicate<K, ?> predicate);

    /**
     * Returns all entries. Members send them as they are stored: the members need this jar and the codec's.
     *
     * @return a copy that cannot be changed
     */
    Set<Map.Entry<K, V>> entrySet();

    /**
     * Returns the entries that fit. Members send them as they are stored: the members need this jar and the codec's.
     *
     * @param predicate chooses entries; of Hazelcast or a {@link FieldPredicate}
     * @return a copy that cannot be changed
     * @throws DamagedEntryException if a {@link FieldPredicate} met a value that it could not compare
     * @throws IllegalArgumentException if the predicate is for pages
     */
    Set<Map.Entry<K, V>> entrySet(Predicate<K, ?> predicate);

    /**
     * Removes the entries that fit.
     *
     * @param predicate chooses entries; of Hazelcast or a {@link FieldPredicate}
     */
    void removeAll(Predicate<K, ?> predicate);

    /**
     * Runs a processor for an entry, where it is. The processor sees the value as the member deserializes it: of a class that the member
     * has a serializer for, else a generic record.
     *
     * @param <R> type of what it returns
     * @param key the key, not null
     * @param processor runs where the entry is
     * @return what the processor returned
     */
    <R> @Nullable R executeOnKey(K key, EntryProcessor<K, Object, R> processor);

    /**
     * Runs a processor for some entries, as {@link #executeOnKey} does.
     *
     * @param <R> type of what it returns
     * @param keys the keys, none of them null
     * @param processor runs where the entry is
     * @return what the processor returned, without nulls
     */
    <R> Map<K, R> executeOnKeys(Set<K> keys, EntryProcessor<K, Object, R> processor);

    /**
     * Runs a processor for all entries, as {@link #executeOnKey} does.
     *
     * @param <R> type of what it returns
     * @param processor runs where the entry is
     * @return what the processor returned, without nulls
     */
    <R> Map<K, R> executeOnEntries(EntryProcessor<K, Object, R> processor);

    /**
     * Runs a processor for the entries that fit, as {@link #executeOnKey} does.
     *
     * @param <R> type of what it returns
     * @param processor runs where the entry is
     * @param predicate chooses entries; of Hazelcast or a {@link FieldPredicate}
     * @return what the processor returned, without nulls
     */
    <R> Map<K, R> executeOnEntries(EntryProcessor<K, Object, R> processor, Predicate<K, ?> predicate);

    /**
     * Has a listener told of entries that are added, updated, removed, evicted or expired. An exception that it throws is logged by
     * Hazelcast.
     *
     * @param listener told of events, on threads of Hazelcast
     * @return the id by which the listener is removed
     */
    UUID addEntryListener(Consumer<? super CompactMapEvent<K, V>> listener);

    /**
     * Has a listener told of events of the entries that fit, as {@link #addEntryListener(Consumer)} does.
     *
     * @param listener told of events, on threads of Hazelcast
     * @param predicate chooses entries; of Hazelcast or a {@link FieldPredicate}
     * @return the id by which the listener is removed
     */
    UUID addEntryListener(Consumer<? super CompactMapEvent<K, V>> listener, Predicate<K, ?> predicate);

    /**
     * Removes a listener.
     *
     * @param id as it was returned
     * @return whether there was one
     */
    boolean removeEntryListener(UUID id);
}
