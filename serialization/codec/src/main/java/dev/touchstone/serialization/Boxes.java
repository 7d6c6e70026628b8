package dev.touchstone.serialization;

import org.jspecify.annotations.Nullable;

/** Arrays with and without nulls, made of each other. */
final class Boxes {
    private Boxes() {}

    static @Nullable Boolean @Nullable [] boxed(boolean @Nullable [] values) {
        if (values == null) {
            return null;
        }
        @Nullable Boolean[] boxed = new @Nullable Boolean[values.length];
        for (int i = 0; i < values.length; i++) {
            boxed[i] = values[i];
        }
        return boxed;
    }

    /** Without nulls: one is refused as that of a field. */
    static boolean @Nullable [] bools(int field, RecordCursor in, @Nullable Boolean @Nullable [] boxed) {
        if (boxed == null) {
            return null;
        }
        boolean[] values = new boolean[boxed.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.present(field, boxed[i]);
        }
        return values;
    }

    static @Nullable Byte @Nullable [] boxed(byte @Nullable [] values) {
        if (values == null) {
            return null;
        }
        @Nullable Byte[] boxed = new @Nullable Byte[values.length];
        for (int i = 0; i < values.length; i++) {
            boxed[i] = values[i];
        }
        return boxed;
    }

    /** Without nulls: one is refused as that of a field. */
    static byte @Nullable [] int8s(int field, RecordCursor in, @Nullable Byte @Nullable [] boxed) {
        if (boxed == null) {
            return null;
        }
        byte[] values = new byte[boxed.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.present(field, boxed[i]);
        }
        return values;
    }

    static @Nullable Short @Nullable [] boxed(short @Nullable [] values) {
        if (values == null) {
            return null;
        }
        @Nullable Short[] boxed = new @Nullable Short[values.length];
        for (int i = 0; i < values.length; i++) {
            boxed[i] = values[i];
        }
        return boxed;
    }

    /** Without nulls: one is refused as that of a field. */
    static short @Nullable [] int16s(int field, RecordCursor in, @Nullable Short @Nullable [] boxed) {
        if (boxed == null) {
            return null;
        }
        short[] values = new short[boxed.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.present(field, boxed[i]);
        }
        return values;
    }

    static @Nullable Integer @Nullable [] boxed(int @Nullable [] values) {
        if (values == null) {
            return null;
        }
        @Nullable Integer[] boxed = new @Nullable Integer[values.length];
        for (int i = 0; i < values.length; i++) {
            boxed[i] = values[i];
        }
        return boxed;
    }

    /** Without nulls: one is refused as that of a field. */
    static int @Nullable [] int32s(int field, RecordCursor in, @Nullable Integer @Nullable [] boxed) {
        if (boxed == null) {
            return null;
        }
        int[] values = new int[boxed.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.present(field, boxed[i]);
        }
        return values;
    }

    static @Nullable Long @Nullable [] boxed(long @Nullable [] values) {
        if (values == null) {
            return null;
        }
        @Nullable Long[] boxed = new @Nullable Long[values.length];
        for (int i = 0; i < values.length; i++) {
            boxed[i] = values[i];
        }
        return boxed;
    }

    /** Without nulls: one is refused as that of a field. */
    static long @Nullable [] int64s(int field, RecordCursor in, @Nullable Long @Nullable [] boxed) {
        if (boxed == null) {
            return null;
        }
        long[] values = new long[boxed.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.present(field, boxed[i]);
        }
        return values;
    }

    static @Nullable Float @Nullable [] boxed(float @Nullable [] values) {
        if (values == null) {
            return null;
        }
        @Nullable Float[] boxed = new @Nullable Float[values.length];
        for (int i = 0; i < values.length; i++) {
            boxed[i] = values[i];
        }
        return boxed;
    }

    /** Without nulls: one is refused as that of a field. */
    static float @Nullable [] float32s(int field, RecordCursor in, @Nullable Float @Nullable [] boxed) {
        if (boxed == null) {
            return null;
        }
        float[] values = new float[boxed.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.present(field, boxed[i]);
        }
        return values;
    }

    static @Nullable Double @Nullable [] boxed(double @Nullable [] values) {
        if (values == null) {
            return null;
        }
        @Nullable Double[] boxed = new @Nullable Double[values.length];
        for (int i = 0; i < values.length; i++) {
            boxed[i] = values[i];
        }
        return boxed;
    }

    /** Without nulls: one is refused as that of a field. */
    static double @Nullable [] float64s(int field, RecordCursor in, @Nullable Double @Nullable [] boxed) {
        if (boxed == null) {
            return null;
        }
        double[] values = new double[boxed.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.present(field, boxed[i]);
        }
        return values;
    }
}
