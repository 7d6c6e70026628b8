package dev.touchstone.serialization.hazelcast;

import com.hazelcast.core.EntryEvent;
import com.hazelcast.map.listener.EntryAddedListener;
import com.hazelcast.map.listener.EntryEvictedListener;
import com.hazelcast.map.listener.EntryExpiredListener;
import com.hazelcast.map.listener.EntryRemovedListener;
import com.hazelcast.map.listener.EntryUpdatedListener;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Hands events of Hazelcast's to a listener, with values that a codec decodes. */
record EventAdapter<K, V>(
        Consumer<? super CompactMapEvent<K, V>> listener, Function<byte @Nullable [], @Nullable V> decoder)
        implements EntryAddedListener<K, Object>,
                EntryUpdatedListener<K, Object>,
                EntryRemovedListener<K, Object>,
                EntryEvictedListener<K, Object>,
                EntryExpiredListener<K, Object> {
    private void tell(EntryEvent<K, Object> event) {
        listener.accept(new CompactMapEvent<>(event, decoder));
    }

    @Override
    public void entryAdded(EntryEvent<K, Object> event) {
        tell(event);
    }

    @Override
    public void entryUpdated(EntryEvent<K, Object> event) {
        tell(event);
    }

    @Override
    public void entryRemoved(EntryEvent<K, Object> event) {
        tell(event);
    }

    @Override
    public void entryEvicted(EntryEvent<K, Object> event) {
        tell(event);
    }

    @Override
    public void entryExpired(EntryEvent<K, Object> event) {
        tell(event);
    }
}
