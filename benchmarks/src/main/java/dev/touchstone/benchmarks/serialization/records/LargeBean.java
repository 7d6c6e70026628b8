package dev.touchstone.benchmarks.serialization.records;

import java.io.Serializable;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** {@link LargeRecord} with fields to be set: for libraries that do so, and for those whose objects write themselves. */
@SuppressWarnings("NullAway.Init") // filled after it is made
public class LargeBean implements Serializable {
    public boolean booleanField;
    public boolean[] booleanArrayField;
    public byte byteField;
    public byte[] byteArrayField;
    public short shortField;
    public short[] shortArrayField;
    public int intField;
    public int[] intArrayField;
    public long longField;
    public long[] longArrayField;
    public float floatField;
    public float[] floatArrayField;
    public double doubleField;
    public double[] doubleArrayField;
    public String stringField;
    public String[] stringArrayField;
    public SmallBean objectField;
    public SmallBean[] objectArrayField;

    /** An object to be filled. */
    public LargeBean() {}

    /**
     * Takes the values of a record, and returns this.
     *
     * @param inner makes an object for each record inside
     */
    public LargeBean fill(LargeRecord from, Supplier<? extends SmallBean> inner) {
        booleanField = from.booleanField();
        booleanArrayField = from.booleanArrayField();
        byteField = from.byteField();
        byteArrayField = from.byteArrayField();
        shortField = from.shortField();
        shortArrayField = from.shortArrayField();
        intField = from.intField();
        intArrayField = from.intArrayField();
        longField = from.longField();
        longArrayField = from.longArrayField();
        floatField = from.floatField();
        floatArrayField = from.floatArrayField();
        doubleField = from.doubleField();
        doubleArrayField = from.doubleArrayField();
        stringField = from.stringField();
        stringArrayField = from.stringArrayField();
        objectField = inner.get().fill(from.objectField());
        objectArrayField = Stream.of(from.objectArrayField())
                .map(record -> inner.get().fill(record))
                .toArray(SmallBean[]::new);
        return this;
    }

    /** The record with the same values. */
    public LargeRecord toRecord() {
        return new LargeRecord(
                booleanField,
                booleanArrayField,
                byteField,
                byteArrayField,
                shortField,
                shortArrayField,
                intField,
                intArrayField,
                longField,
                longArrayField,
                floatField,
                floatArrayField,
                doubleField,
                doubleArrayField,
                stringField,
                stringArrayField,
                objectField.toRecord(),
                Stream.of(objectArrayField).map(SmallBean::toRecord).toArray(SmallRecord[]::new));
    }
}
