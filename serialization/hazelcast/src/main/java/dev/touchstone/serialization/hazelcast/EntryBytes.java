package dev.touchstone.serialization.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.projection.Projection;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Map;

/** A projection that has a member answer a query with keys and values as they are stored: the member needs the class of neither. */
final class EntryBytes<K, V>
        implements Projection<Map.Entry<K, V>, Map.Entry<byte[], byte[]>>, IdentifiedDataSerializable {
    private static final long serialVersionUID = 1;

    @Override
    public Map.Entry<byte[], byte[]> transform(Map.Entry<K, V> entry) {
        return new SimpleImmutableEntry<>(HazelcastBridge.copyOfKey(entry), HazelcastBridge.copyOfValue(entry));
    }

    @Override
    public int getFactoryId() {
        return Wire.FACTORY;
    }

    @Override
    public int getClassId() {
        return Wire.ENTRY_BYTES;
    }

    @Override
    public void writeData(ObjectDataOutput out) {}

    @Override
    public void readData(ObjectDataInput in) {}
}
