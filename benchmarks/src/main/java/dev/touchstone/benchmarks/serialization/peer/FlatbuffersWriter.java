package dev.touchstone.benchmarks.serialization.peer;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.touchstone.benchmarks.serialization.records.LargeRecord;
import dev.touchstone.benchmarks.serialization.records.SmallRecord;

/** Writes the tables that {@link FlatbuffersSmall} and {@link FlatbuffersLarge} read: what they refer to first, and the last item first. */
final class FlatbuffersWriter {
    private static final int BUFFER_BYTES = 4096;
    private static final int FIELDS = 18;

    private final FlatBufferBuilder out = new FlatBufferBuilder(BUFFER_BYTES);

    /** A record's bytes, in an array of their own. */
    byte[] write(Object record) {
        out.clear();
        out.finish(
                record instanceof SmallRecord small
                        ? FlatbuffersSmall.create(out, small)
                        : create((LargeRecord) record));
        return out.sizedByteArray();
    }

    private int create(LargeRecord record) {
        int booleans = booleans(record.booleanArrayField());
        int bytes = out.createByteVector(record.byteArrayField());
        int shorts = shorts(record.shortArrayField());
        int ints = ints(record.intArrayField());
        int longs = longs(record.longArrayField());
        int floats = floats(record.floatArrayField());
        int doubles = doubles(record.doubleArrayField());
        int string = out.createString(record.stringField());
        int strings = strings(record.stringArrayField());
        int small = FlatbuffersSmall.create(out, record.objectField());
        int smalls = smalls(record.objectArrayField());
        out.startTable(FIELDS);
        out.addLong(8, record.longField(), 0);
        out.addDouble(12, record.doubleField(), 0);
        out.addOffset(1, booleans, 0);
        out.addOffset(3, bytes, 0);
        out.addOffset(5, shorts, 0);
        out.addInt(6, record.intField(), 0);
        out.addOffset(7, ints, 0);
        out.addOffset(9, longs, 0);
        out.addFloat(10, record.floatField(), 0);
        out.addOffset(11, floats, 0);
        out.addOffset(13, doubles, 0);
        out.addOffset(14, string, 0);
        out.addOffset(15, strings, 0);
        out.addOffset(16, small, 0);
        out.addOffset(17, smalls, 0);
        out.addShort(4, record.shortField(), 0);
        out.addBoolean(0, record.booleanField(), false);
        out.addByte(2, record.byteField(), 0);
        return out.endTable();
    }

    private int booleans(boolean[] values) {
        out.startVector(1, values.length, 1);
        for (int i = values.length - 1; i >= 0; i--) {
            out.addBoolean(values[i]);
        }
        return out.endVector();
    }

    private int shorts(short[] values) {
        out.startVector(Short.BYTES, values.length, Short.BYTES);
        for (int i = values.length - 1; i >= 0; i--) {
            out.addShort(values[i]);
        }
        return out.endVector();
    }

    private int ints(int[] values) {
        out.startVector(Integer.BYTES, values.length, Integer.BYTES);
        for (int i = values.length - 1; i >= 0; i--) {
            out.addInt(values[i]);
        }
        return out.endVector();
    }

    private int longs(long[] values) {
        out.startVector(Long.BYTES, values.length, Long.BYTES);
        for (int i = values.length - 1; i >= 0; i--) {
            out.addLong(values[i]);
        }
        return out.endVector();
    }

    private int floats(float[] values) {
        out.startVector(Float.BYTES, values.length, Float.BYTES);
        for (int i = values.length - 1; i >= 0; i--) {
            out.addFloat(values[i]);
        }
        return out.endVector();
    }

    private int doubles(double[] values) {
        out.startVector(Double.BYTES, values.length, Double.BYTES);
        for (int i = values.length - 1; i >= 0; i--) {
            out.addDouble(values[i]);
        }
        return out.endVector();
    }

    private int strings(String[] values) {
        int[] offsets = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            offsets[i] = out.createString(values[i]);
        }
        return out.createVectorOfTables(offsets);
    }

    private int smalls(SmallRecord[] values) {
        int[] offsets = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            offsets[i] = FlatbuffersSmall.create(out, values[i]);
        }
        return out.createVectorOfTables(offsets);
    }
}
