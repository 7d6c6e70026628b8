package dev.touchstone.serialization.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.projection.Projection;
import java.util.Map;

/** Has a member answer a query with values as they are stored. */
final class ValueBytes<K, V> implements Projection<Map.Entry<K, V>, byte[]>, IdentifiedDataSerializable {
    private static final long serialVersionUID = 1;

    @Override
    public byte[] transform(Map.Entry<K, V> entry) {
        return HazelcastBridge.copyOfValue(entry);
    }

    @Override
    public int getFactoryId() {
        return Wire.FACTORY;
    }

    @Override
    public int getClassId() {
        return Wire.VALUE_BYTES;
    }

    @Override
    public void writeData(ObjectDataOutput out) {}

    @Override
    public void readData(ObjectDataInput in) {}
}
