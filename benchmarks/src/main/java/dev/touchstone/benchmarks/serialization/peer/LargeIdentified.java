package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import dev.touchstone.benchmarks.serialization.records.LargeBean;
import dev.touchstone.benchmarks.serialization.records.SmallBean;
import java.io.IOException;

/** A large object that writes itself as Hazelcast's IdentifiedDataSerializable. Public for its queries. */
public final class LargeIdentified extends LargeBean implements IdentifiedDataSerializable {
    static final int CLASS = 2;

    @Override
    public int getFactoryId() {
        return SmallIdentified.FACTORY;
    }

    @Override
    public int getClassId() {
        return CLASS;
    }

    @Override
    public void writeData(ObjectDataOutput out) throws IOException {
        out.writeBoolean(booleanField);
        out.writeBooleanArray(booleanArrayField);
        out.writeByte(byteField);
        out.writeByteArray(byteArrayField);
        out.writeShort(shortField);
        out.writeShortArray(shortArrayField);
        out.writeInt(intField);
        out.writeIntArray(intArrayField);
        out.writeLong(longField);
        out.writeLongArray(longArrayField);
        out.writeFloat(floatField);
        out.writeFloatArray(floatArrayField);
        out.writeDouble(doubleField);
        out.writeDoubleArray(doubleArrayField);
        out.writeString(stringField);
        out.writeStringArray(stringArrayField);
        out.writeObject(objectField);
        out.writeInt(objectArrayField.length);
        for (SmallBean object : objectArrayField) {
            out.writeObject(object);
        }
    }

    @Override
    @SuppressWarnings("NullAway") // no null is ever written
    public void readData(ObjectDataInput in) throws IOException {
        booleanField = in.readBoolean();
        booleanArrayField = in.readBooleanArray();
        byteField = in.readByte();
        byteArrayField = in.readByteArray();
        shortField = in.readShort();
        shortArrayField = in.readShortArray();
        intField = in.readInt();
        intArrayField = in.readIntArray();
        longField = in.readLong();
        longArrayField = in.readLongArray();
        floatField = in.readFloat();
        floatArrayField = in.readFloatArray();
        doubleField = in.readDouble();
        doubleArrayField = in.readDoubleArray();
        stringField = in.readString();
        stringArrayField = in.readStringArray();
        objectField = in.readObject();
        objectArrayField = new SmallBean[in.readInt()];
        for (int i = 0; i < objectArrayField.length; i++) {
            objectArrayField[i] = in.readObject();
        }
    }
}
