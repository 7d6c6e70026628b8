package dev.touchstone.benchmarks.serialization.peer;

import com.hazelcast.nio.serialization.genericrecord.GenericRecord;
import com.hazelcast.nio.serialization.genericrecord.GenericRecordBuilder;
import dev.touchstone.benchmarks.serialization.records.LargeRecord;
import dev.touchstone.benchmarks.serialization.records.SmallRecord;
import java.util.stream.Stream;

/** Records as Hazelcast's generic records in Compact format, and back. */
@SuppressWarnings("NullAway") // no null is ever written
final class GenericRecords {
    private GenericRecords() {}

    static GenericRecord of(Object object) {
        return object instanceof SmallRecord small ? small(small) : large((LargeRecord) object);
    }

    static Object toRecord(Object object) {
        GenericRecord record = (GenericRecord) object;
        return record.getFieldNames().contains("objectField") ? large(record) : small(record);
    }

    private static GenericRecord small(SmallRecord record) {
        return GenericRecordBuilder.compact("small")
                .setInt32("intField", record.intField())
                .setFloat64("doubleField", record.doubleField())
                .setInt64("longField", record.longField())
                .setString("stringField", record.stringField())
                .build();
    }

    private static SmallRecord small(GenericRecord record) {
        return new SmallRecord(
                record.getInt32("intField"),
                record.getFloat64("doubleField"),
                record.getInt64("longField"),
                record.getString("stringField"));
    }

    private static GenericRecord large(LargeRecord record) {
        return GenericRecordBuilder.compact("large")
                .setBoolean("booleanField", record.booleanField())
                .setArrayOfBoolean("booleanArrayField", record.booleanArrayField())
                .setInt8("byteField", record.byteField())
                .setArrayOfInt8("byteArrayField", record.byteArrayField())
                .setInt16("shortField", record.shortField())
                .setArrayOfInt16("shortArrayField", record.shortArrayField())
                .setInt32("intField", record.intField())
                .setArrayOfInt32("intArrayField", record.intArrayField())
                .setInt64("longField", record.longField())
                .setArrayOfInt64("longArrayField", record.longArrayField())
                .setFloat32("floatField", record.floatField())
                .setArrayOfFloat32("floatArrayField", record.floatArrayField())
                .setFloat64("doubleField", record.doubleField())
                .setArrayOfFloat64("doubleArrayField", record.doubleArrayField())
                .setString("stringField", record.stringField())
                .setArrayOfString("stringArrayField", record.stringArrayField())
                .setGenericRecord("objectField", small(record.objectField()))
                .setArrayOfGenericRecord(
                        "objectArrayField",
                        Stream.of(record.objectArrayField())
                                .map(GenericRecords::small)
                                .toArray(GenericRecord[]::new))
                .build();
    }

    private static LargeRecord large(GenericRecord record) {
        return new LargeRecord(
                record.getBoolean("booleanField"),
                record.getArrayOfBoolean("booleanArrayField"),
                record.getInt8("byteField"),
                record.getArrayOfInt8("byteArrayField"),
                record.getInt16("shortField"),
                record.getArrayOfInt16("shortArrayField"),
                record.getInt32("intField"),
                record.getArrayOfInt32("intArrayField"),
                record.getInt64("longField"),
                record.getArrayOfInt64("longArrayField"),
                record.getFloat32("floatField"),
                record.getArrayOfFloat32("floatArrayField"),
                record.getFloat64("doubleField"),
                record.getArrayOfFloat64("doubleArrayField"),
                record.getString("stringField"),
                record.getArrayOfString("stringArrayField"),
                small(record.getGenericRecord("objectField")),
                Stream.of(record.getArrayOfGenericRecord("objectArrayField"))
                        .map(GenericRecords::small)
                        .toArray(SmallRecord[]::new));
    }
}
