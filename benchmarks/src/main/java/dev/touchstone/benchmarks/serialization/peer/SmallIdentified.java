package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import dev.touchstone.benchmarks.serialization.records.SmallBean;
import java.io.IOException;

/** A small object that writes itself as Hazelcast's IdentifiedDataSerializable. Public for its queries. */
public final class SmallIdentified extends SmallBean implements IdentifiedDataSerializable {
    static final int FACTORY = 2;
    static final int CLASS = 1;

    @Override
    public int getFactoryId() {
        return FACTORY;
    }

    @Override
    public int getClassId() {
        return CLASS;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeInt(intField);
        out.writeDouble(doubleField);
        out.writeLong(longField);
        out.writeString(stringField);
    }

    @Override
    @SuppressWarnings("NullAway") // no null is ever written
    public void readData(ObjectDataInput in) throws IOException {
        intField = in.readInt();
        doubleField = in.readDouble();
        longField = in.readLong();
        stringField = in.readString();
    }
}
