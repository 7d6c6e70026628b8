package dev.touchstone.serialization.hazelcast;

import com.hazelcast.core.EntryEvent;
import com.hazelcast.core.EntryEventType;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to an entry of a map. Values are decoded when they are asked for, anew each time. Immutable, and thread-safe.
 *
 * @param <K> the keys of the map
 * @param <V> its values
 */
public final class CompactMapEvent<K, V> {
    private final EntryEvent<K, Object> event;
    private final Function<byte @Nullable [], @Nullable V> decoder;

    CompactMapEvent(EntryEvent<K, Object> event, Function<byte @Nullable [], @Nullable V> decoder) {
        this.event = event;
        this.decoder = decoder;
    }

    /**
     * Returns the kind of this event.
     *
     * @return added, updated, removed, evicted or expired
     */
    public EntryEventType type() {
        return event.getEventType();
    }

    /**
     * Returns the key of the entry.
     *
     * @return the key
     */
    public K key() {
        return event.getKey();
    }

    /**
     * Returns the value that the entry has now.
     *
     * @return the value; null if it was taken out
     * @throws dev.touchstone.serialization.exception.CompactException if it cannot be decoded
     */
    public @Nullable V value() {
        return decoder.apply(HazelcastBridge.newValue(event));
    }

    /**
     * Returns the value that the entry had before.
     *
     * @return the value; null if there was none
     * @throws dev.touchstone.serialization.exception.CompactException if it cannot be decoded
     */
    public @Nullable V oldValue() {
        return decoder.apply(HazelcastBridge.oldValue(event));
    }

    /** Returns kind and key, for people. */
    @Override
    public String toString() {
        return type() + " " + key();
    }
}
