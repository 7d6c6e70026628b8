package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.nio.serialization.compact.CompactReader;
import com.hazelcast.nio.serialization.compact.CompactSerializer;
import com.hazelcast.nio.serialization.compact.CompactWriter;
import dev.touchstone.benchmarks.serialization.records.LargeRecord;
import dev.touchstone.benchmarks.serialization.records.SmallRecord;

/** Hazelcast's explicit serializers of the records in Compact format, as its documentation has users write them. */
final class CompactSerializers {
    private CompactSerializers() {}

    static final class Small implements CompactSerializer<SmallRecord> {
        @Override
        public String getTypeName() {
            return "small";
        }

        @Override
        public Class<SmallRecord> getCompactClass() {
            return SmallRecord.class;
        }

        @Override
        public void write(CompactWriter writer, SmallRecord value) {
            writer.writeInt32("intField", value.intField());
            writer.writeFloat64("doubleField", value.doubleField());
            writer.writeInt64("longField", value.longField());
            writer.writeString("stringField", value.stringField());
        }

        @Override
        @SuppressWarnings("NullAway") // no null is ever written
        public SmallRecord read(CompactReader reader) {
            return new SmallRecord(
                    reader.readInt32("intField"),
                    reader.readFloat64("doubleField"),
                    reader.readInt64("longField"),
                    reader.readString("stringField"));
        }
    }

    static final class Large implements CompactSerializer<LargeRecord> {
        @Override
        public String getTypeName() {
            return "large";
        }

        @Override
        public Class<LargeRecord> getCompactClass() {
            return LargeRecord.class;
        }

        @Override
        public void write(CompactWriter writer, LargeRecord value) {
            writer.writeBoolean("booleanField", value.booleanField());
            writer.writeArrayOfBoolean("booleanArrayField", value.booleanArrayField());
            writer.writeInt8("byteField", value.byteField());
            writer.writeArrayOfInt8("byteArrayField", value.byteArrayField());
            writer.writeInt16("shortField", value.shortField());
            writer.writeArrayOfInt16("shortArrayField", value.shortArrayField());
            writer.writeInt32("intField", value.intField());
            writer.writeArrayOfInt32("intArrayField", value.intArrayField());
            writer.writeInt64("longField", value.longField());
            writer.writeArrayOfInt64("longArrayField", value.longArrayField());
            writer.writeFloat32("floatField", value.floatField());
            writer.writeArrayOfFloat32("floatArrayField", value.floatArrayField());
            writer.writeFloat64("doubleField", value.doubleField());
            writer.writeArrayOfFloat64("doubleArrayField", value.doubleArrayField());
            writer.writeString("stringField", value.stringField());
            writer.writeArrayOfString("stringArrayField", value.stringArrayField());
            writer.writeCompact("objectField", value.objectField());
            writer.writeArrayOfCompact("objectArrayField", value.objectArrayField());
        }

        @Override
        @SuppressWarnings("NullAway") // no null is ever written
        public LargeRecord read(CompactReader reader) {
            return new LargeRecord(
                    reader.readBoolean("booleanField"),
                    reader.readArrayOfBoolean("booleanArrayField"),
                    reader.readInt8("byteField"),
                    reader.readArrayOfInt8("byteArrayField"),
                    reader.readInt16("shortField"),
                    reader.readArrayOfInt16("shortArrayField"),
                    reader.readInt32("intField"),
                    reader.readArrayOfInt32("intArrayField"),
                    reader.readInt64("longField"),
                    reader.readArrayOfInt64("longArrayField"),
                    reader.readFloat32("floatField"),
                    reader.readArrayOfFloat32("floatArrayField"),
                    reader.readFloat64("doubleField"),
                    reader.readArrayOfFloat64("doubleArrayField"),
                    reader.readString("stringField"),
                    reader.readArrayOfString("stringArrayField"),
                    reader.readCompact("objectField"),
                    reader.readArrayOfCompact("objectArrayField", SmallRecord.class));
        }
    }
}
