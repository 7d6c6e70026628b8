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

    /**
     * Returns random objects, the same in every run: as in the seed's read benchmark, all with the same number of bytes.
     *
     * @param count of objects
     */
    public List<Object> random(int count) {
        return random(count, Alphabet.ASCII);
    }

    /**
     * Returns random objects whose strings are of an alphabet, the same in every run and all with the same number of bytes.
     *
     * @param count of objects
     */
    public List<Object> random(int count, Alphabet alphabet) {
        Random random = new Random(SampleRecords.SEED);
        List<Object> records = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            records.add(this == SMALL ? SampleRecords.small(random, alphabet) : SampleRecords.large(random, alphabet));
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
