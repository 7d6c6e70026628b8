package dev.touchstone.benchmarks.serialization.records;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The two objects of the seed, by the value of the parameter {@code size}. */
public enum RecordSize {
    SMALL,
    LARGE;

    /** The object that the seed's write benchmark writes. */
    public Object written() {
        return this == SMALL ? SampleRecords.WRITTEN_SMALL : SampleRecords.writtenLarge();
    }

    /** An object as in the seed's read benchmark: other values, always as many bytes. */
    public Object random(Random random) {
        return this == SMALL ? SampleRecords.small(random) : SampleRecords.large(random);
    }

    /** That many random objects, the same in every run. */
    public List<Object> random(int count) {
        Random random = new Random(SampleRecords.SEED);
        List<Object> records = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            records.add(random(random));
        }
        return records;
    }

    /** The size of a record. */
    public static RecordSize of(Object object) {
        return object instanceof SmallRecord ? SMALL : LARGE;
    }

    /** The {@code stringField} of a record. */
    public static String string(Object object) {
        return object instanceof SmallRecord small ? small.stringField() : ((LargeRecord) object).stringField();
    }

    /** The record with another {@code stringField}. */
    public static Object withString(Object object, String string) {
        return object instanceof SmallRecord small
                ? small.withString(string)
                : ((LargeRecord) object).withString(string);
    }
}
