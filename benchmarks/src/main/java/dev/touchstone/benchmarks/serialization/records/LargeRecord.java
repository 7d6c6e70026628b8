package dev.touchstone.benchmarks.serialization.records;

import dev.touchstone.serialization.annotation.Compact;
import java.util.Arrays;

/** The seed's large object: a field of each kind. No field is ever null; equal where the contents of the arrays are. */
@Compact("large")
@SuppressWarnings("ArrayRecordComponent") // arrays are what is measured
public record LargeRecord(
        boolean booleanField,
        boolean[] booleanArrayField,
        byte byteField,
        byte[] byteArrayField,
        short shortField,
        short[] shortArrayField,
        int intField,
        int[] intArrayField,
        long longField,
        long[] longArrayField,
        float floatField,
        float[] floatArrayField,
        double doubleField,
        double[] doubleArrayField,
        String stringField,
        String[] stringArrayField,
        SmallRecord objectField,
        SmallRecord[] objectArrayField) {

    /** The same with another string. */
    public LargeRecord withString(String string) {
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
                string,
                stringArrayField,
                objectField,
                objectArrayField);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LargeRecord that && Arrays.deepEquals(fields(), that.fields());
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(fields());
    }

    @Override
    public String toString() {
        return "LargeRecord" + Arrays.deepToString(fields());
    }

    private Object[] fields() {
        return new Object[] {
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
            objectField,
            objectArrayField
        };
    }
}
