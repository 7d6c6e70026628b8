package dev.touchstone.benchmarks.serialization.peer;

import com.google.flatbuffers.Table;
import dev.touchstone.benchmarks.serialization.records.LargeRecord;
import dev.touchstone.benchmarks.serialization.records.SmallRecord;
import java.nio.ByteBuffer;

/**
 * The large record as a table of FlatBuffers, to be read; {@link FlatbuffersWriter} writes it. As {@link FlatbuffersSmall}: fields in the
 * record's order, a {@code boolean[]} is a vector of {@code bool}.
 */
final class FlatbuffersLarge extends Table {
    private static final int BEGIN = 4;
    private static final int STEP = 2;
    private static final int STRING = 14;
    static final int STRING_AT = BEGIN + STEP * STRING;

    private final FlatbuffersSmall small = new FlatbuffersSmall();

    /** Lays this over a table. */
    FlatbuffersLarge over(int at, ByteBuffer bytes) {
        __reset(at, bytes);
        return this;
    }

    LargeRecord toRecord() {
        int boolAt = place(0);
        int byteAt = place(2);
        int shortAt = place(4);
        int intAt = place(6);
        int longAt = place(8);
        int floatAt = place(10);
        int doubleAt = place(12);
        return new LargeRecord(
                boolAt != 0 && bb.get(boolAt) != 0,
                booleans(vector(1)),
                byteAt == 0 ? 0 : bb.get(byteAt),
                bytes(vector(3)),
                shortAt == 0 ? 0 : bb.getShort(shortAt),
                shorts(vector(5)),
                intAt == 0 ? 0 : bb.getInt(intAt),
                ints(vector(7)),
                longAt == 0 ? 0 : bb.getLong(longAt),
                longs(vector(9)),
                floatAt == 0 ? 0 : bb.getFloat(floatAt),
                floats(vector(11)),
                doubleAt == 0 ? 0 : bb.getDouble(doubleAt),
                doubles(vector(13)),
                __string(place(STRING)),
                strings(vector(15)),
                small.over(__indirect(place(16)), bb).toRecord(),
                smalls(vector(17)));
    }

    /** Returns the position of a field; 0 if it is absent, as a number that is 0 is. */
    private int place(int field) {
        int at = __offset(BEGIN + STEP * field);
        return at == 0 ? 0 : at + bb_pos;
    }

    /** Returns the offset from which a field's vector is reached; no vector is absent. */
    private int vector(int field) {
        return __offset(BEGIN + STEP * field);
    }

    private boolean[] booleans(int field) {
        boolean[] values = new boolean[__vector_len(field)];
        int at = __vector(field);
        for (int i = 0; i < values.length; i++) {
            values[i] = bb.get(at + i) != 0;
        }
        return values;
    }

    private byte[] bytes(int field) {
        byte[] values = new byte[__vector_len(field)];
        bb.get(__vector(field), values);
        return values;
    }

    private short[] shorts(int field) {
        short[] values = new short[__vector_len(field)];
        int at = __vector(field);
        for (int i = 0; i < values.length; i++) {
            values[i] = bb.getShort(at + i * Short.BYTES);
        }
        return values;
    }

    private int[] ints(int field) {
        int[] values = new int[__vector_len(field)];
        int at = __vector(field);
        for (int i = 0; i < values.length; i++) {
            values[i] = bb.getInt(at + i * Integer.BYTES);
        }
        return values;
    }

    private long[] longs(int field) {
        long[] values = new long[__vector_len(field)];
        int at = __vector(field);
        for (int i = 0; i < values.length; i++) {
            values[i] = bb.getLong(at + i * Long.BYTES);
        }
        return values;
    }

    private float[] floats(int field) {
        float[] values = new float[__vector_len(field)];
        int at = __vector(field);
        for (int i = 0; i < values.length; i++) {
            values[i] = bb.getFloat(at + i * Float.BYTES);
        }
        return values;
    }

    private double[] doubles(int field) {
        double[] values = new double[__vector_len(field)];
        int at = __vector(field);
        for (int i = 0; i < values.length; i++) {
            values[i] = bb.getDouble(at + i * Double.BYTES);
        }
        return values;
    }

    private String[] strings(int field) {
        String[] values = new String[__vector_len(field)];
        int at = __vector(field);
        for (int i = 0; i < values.length; i++) {
            values[i] = __string(at + i * Integer.BYTES);
        }
        return values;
    }

    private SmallRecord[] smalls(int field) {
        SmallRecord[] values = new SmallRecord[__vector_len(field)];
        int at = __vector(field);
        for (int i = 0; i < values.length; i++) {
            values[i] = small.over(__indirect(at + i * Integer.BYTES), bb).toRecord();
        }
        return values;
    }
}
