package dev.touchstone.serialization.layout;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Methods that read and write numbers in an array of bytes, most significant byte first. The caller has checked that the numbers are inside the
 * array.
 */
public final class BigEndian {
    private static final VarHandle SHORTS = view(short[].class);
    private static final VarHandle INTS = view(int[].class);
    private static final VarHandle LONGS = view(long[].class);
    private static final VarHandle FLOATS = view(float[].class);
    private static final VarHandle DOUBLES = view(double[].class);

    private BigEndian() {}

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.BIG_ENDIAN);
    }

    public static short int16(byte[] bytes, int at) {
        return (short) SHORTS.get(bytes, at);
    }

    public static int int32(byte[] bytes, int at) {
        return (int) INTS.get(bytes, at);
    }

    public static long int64(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    public static float float32(byte[] bytes, int at) {
        return (float) FLOATS.get(bytes, at);
    }

    public static double float64(byte[] bytes, int at) {
        return (double) DOUBLES.get(bytes, at);
    }

    public static void putInt16(byte[] bytes, int at, short value) {
        SHORTS.set(bytes, at, value);
    }

    public static void putInt32(byte[] bytes, int at, int value) {
        INTS.set(bytes, at, value);
    }

    public static void putInt64(byte[] bytes, int at, long value) {
        LONGS.set(bytes, at, value);
    }

    /** Writes a floating-point number, with the same bits for every NaN. */
    public static void putFloat32(byte[] bytes, int at, float value) {
        putInt32(bytes, at, Float.floatToIntBits(value));
    }

    /** Writes a floating-point number, with the same bits for every NaN. */
    public static void putFloat64(byte[] bytes, int at, double value) {
        putInt64(bytes, at, Double.doubleToLongBits(value));
    }

    /** Writes a floating-point number, with the bits of a NaN as they are. */
    public static void putRawFloat32(byte[] bytes, int at, float value) {
        FLOATS.set(bytes, at, value);
    }
}
