package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.nio.serialization.Portable;
import com.hazelcast.nio.serialization.PortableReader;
import com.hazelcast.nio.serialization.PortableWriter;
import dev.touchstone.benchmarks.serialization.records.LargeBean;
import java.io.IOException;
import java.util.Arrays;

/** A large object that writes itself in Hazelcast's Portable format. Public for its queries. */
@SuppressWarnings("removal") // a peer for as long as it is there
public final class LargePortable extends LargeBean implements Portable {
    static final int CLASS = 2;

    @Override
    public int getFactoryId() {
        return SmallPortable.FACTORY;
    }

    @Override
    public int getClassId() {
        return CLASS;
    }

    @Override
    public void writePortable(PortableWriter writer) throws IOException {
        writer.writeBoolean("booleanField", booleanField);
        writer.writeBooleanArray("booleanArrayField", booleanArrayField);
        writer.writeByte("byteField", byteField);
        writer.writeByteArray("byteArrayField", byteArrayField);
        writer.writeShort("shortField", shortField);
        writer.writeShortArray("shortArrayField", shortArrayField);
        writer.writeInt("intField", intField);
        writer.writeIntArray("intArrayField", intArrayField);
        writer.writeLong("longField", longField);
        writer.writeLongArray("longArrayField", longArrayField);
        writer.writeFloat("floatField", floatField);
        writer.writeFloatArray("floatArrayField", floatArrayField);
        writer.writeDouble("doubleField", doubleField);
        writer.writeDoubleArray("doubleArrayField", doubleArrayField);
        writer.writeString("stringField", stringField);
        writer.writeStringArray("stringArrayField", stringArrayField);
        writer.writePortable("objectField", (SmallPortable) objectField);
        writer.writePortableArray("objectArrayField", portables());
    }

    @Override
    @SuppressWarnings("NullAway") // no null is ever written
    public void readPortable(PortableReader reader) throws IOException {
        booleanField = reader.readBoolean("booleanField");
        booleanArrayField = reader.readBooleanArray("booleanArrayField");
        byteField = reader.readByte("byteField");
        byteArrayField = reader.readByteArray("byteArrayField");
        shortField = reader.readShort("shortField");
        shortArrayField = reader.readShortArray("shortArrayField");
        intField = reader.readInt("intField");
        intArrayField = reader.readIntArray("intArrayField");
        longField = reader.readLong("longField");
        longArrayField = reader.readLongArray("longArrayField");
        floatField = reader.readFloat("floatField");
        floatArrayField = reader.readFloatArray("floatArrayField");
        doubleField = reader.readDouble("doubleField");
        doubleArrayField = reader.readDoubleArray("doubleArrayField");
        stringField = reader.readString("stringField");
        stringArrayField = reader.readStringArray("stringArrayField");
        objectField = reader.<SmallPortable>readPortable("objectField");
        Portable[] portables = reader.readPortableArray("objectArrayField");
        objectArrayField = Arrays.copyOf(portables, portables.length, SmallPortable[].class);
    }

    private Portable[] portables() {
        return Arrays.copyOf(objectArrayField, objectArrayField.length, Portable[].class);
    }
}
