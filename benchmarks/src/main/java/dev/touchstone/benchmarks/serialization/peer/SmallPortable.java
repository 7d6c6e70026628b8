package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.nio.serialization.Portable;
import com.hazelcast.nio.serialization.PortableReader;
import com.hazelcast.nio.serialization.PortableWriter;
import dev.touchstone.benchmarks.serialization.records.SmallBean;
import java.io.IOException;

/** A small object that writes itself in Hazelcast's Portable format. Public for its queries. */
@SuppressWarnings("removal") // a peer for as long as it is there
public final class SmallPortable extends SmallBean implements Portable {
    static final int FACTORY = 1;
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
    public void writePortable(PortableWriter writer) throws IOException {
        writer.writeInt("intField", intField);
        writer.writeDouble("doubleField", doubleField);
        writer.writeLong("longField", longField);
        writer.writeString("stringField", stringField);
    }

    @Override
    @SuppressWarnings("NullAway") // no null is ever written
    public void readPortable(PortableReader reader) throws IOException {
        intField = reader.readInt("intField");
        doubleField = reader.readDouble("doubleField");
        longField = reader.readLong("longField");
        stringField = reader.readString("stringField");
    }
}
