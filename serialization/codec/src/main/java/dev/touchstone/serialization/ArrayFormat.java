package dev.touchstone.serialization;

import dev.touchstone.serialization.layout.BigEndian;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A format of arrays in the variable region of a record, whose items are of one size and never null. Thread-safe.
 *
 * @param <T> type of the arrays
 */
public abstract class ArrayFormat<T> extends ValueFormat<T> {
    /** Values of the kind {@code ARRAY_OF_BOOLEAN}: number of items: int32 | 8 items to a byte, the first item in the least significant bit. */
    public static final ArrayFormat<boolean[]> ARRAY_OF_BOOLEAN = new ArrayFormat<>(0) {
        @Override
        int count(boolean[] values) {
            return values.length;
        }

        @Override
        long bytes(int count) {
            return ((long) count + Byte.SIZE - 1) / Byte.SIZE;
        }

        @Override
        void put(byte[] out, int at, boolean[] values) {
            int to = at;
            for (int from = 0; from < values.length; from += Byte.SIZE, to++) {
                int octet = 0;
                for (int bit = Math.min(Byte.SIZE, values.length - from) - 1; bit >= 0; bit--) {
                    octet = (octet << 1) | (values[from + bit] ? 1 : 0);
                }
                out[to] = (byte) octet;
            }
        }

        @Override
        boolean[] get(byte[] in, int at, int count) {
            boolean[] values = new boolean[count];
            for (int i = 0; i < count; i++) {
                values[i] = ((in[at + i / Byte.SIZE] >> (i % Byte.SIZE)) & 1) != 0;
            }
            return values;
        }
    };

    /** Values of the kind {@code ARRAY_OF_INT8}: number of items: int32 | items of 1 byte. */
    public static final ArrayFormat<byte[]> ARRAY_OF_INT8 = new ArrayFormat<>(1) {
        @Override
        int count(byte[] values) {
            return values.length;
        }

        @Override
        void put(byte[] out, int at, byte[] values) {
            System.arraycopy(values, 0, out, at, values.length);
        }

        @Override
        byte[] get(byte[] in, int at, int count) {
            return Arrays.copyOfRange(in, at, at + count);
        }
    };

    /** Values of the kind {@code ARRAY_OF_INT16}: number of items: int32 | items of 2 bytes. */
    public static final ArrayFormat<short[]> ARRAY_OF_INT16 = new ArrayFormat<>(Short.BYTES) {
        @Override
        int count(short[] values) {
            return values.length;
        }

        @Override
        void put(byte[] out, int at, short[] values) {
            for (int i = 0; i < values.length; i++) {
                BigEndian.putInt16(out, at + i * Short.BYTES, values[i]);
            }
        }

        @Override
        short[] get(byte[] in, int at, int count) {
            short[] values = new short[count];
            for (int i = 0; i < count; i++) {
                values[i] = BigEndian.int16(in, at + i * Short.BYTES);
            }
            return values;
        }
    };

    /** Values of the kind {@code ARRAY_OF_INT32}: number of items: int32 | items of 4 bytes. */
    public static final ArrayFormat<int[]> ARRAY_OF_INT32 = new ArrayFormat<>(Integer.BYTES) {
        @Override
        int count(int[] values) {
            return values.length;
        }

        @Override
        void put(byte[] out, int at, int[] values) {
            for (int i = 0; i < values.length; i++) {
                BigEndian.putInt32(out, at + i * Integer.BYTES, values[i]);
            }
        }

        @Override
        int[] get(byte[] in, int at, int count) {
            int[] values = new int[count];
            for (int i = 0; i < count; i++) {
                values[i] = BigEndian.int32(in, at + i * Integer.BYTES);
            }
            return values;
        }
    };

    /** Values of the kind {@code ARRAY_OF_INT64}: number of items: int32 | items of 8 bytes. */
    public static final ArrayFormat<long[]> ARRAY_OF_INT64 = new ArrayFormat<>(Long.BYTES) {
        @Override
        int count(long[] values) {
            return values.length;
        }

        @Override
        void put(byte[] out, int at, long[] values) {
            for (int i = 0; i < values.length; i++) {
                BigEndian.putInt64(out, at + i * Long.BYTES, values[i]);
            }
        }

        @Override
        long[] get(byte[] in, int at, int count) {
            long[] values = new long[count];
            for (int i = 0; i < count; i++) {
                values[i] = BigEndian.int64(in, at + i * Long.BYTES);
            }
            return values;
        }
    };

    /** Values of the kind {@code ARRAY_OF_FLOAT32}: number of items: int32 | items of 4 bytes. Only this format keeps the bits of a NaN. */
    public static final ArrayFormat<float[]> ARRAY_OF_FLOAT32 = new ArrayFormat<>(Float.BYTES) {
        @Override
        int count(float[] values) {
            return values.length;
        }

        @Override
        void put(byte[] out, int at, float[] values) {
            for (int i = 0; i < values.length; i++) {
                BigEndian.putRawFloat32(out, at + i * Float.BYTES, values[i]);
            }
        }

        @Override
        float[] get(byte[] in, int at, int count) {
            float[] values = new float[count];
            for (int i = 0; i < count; i++) {
                values[i] = BigEndian.float32(in, at + i * Float.BYTES);
            }
            return values;
        }
    };

    /** Values of the kind {@code ARRAY_OF_FLOAT64}: number of items: int32 | items of 8 bytes, with the same bits for every NaN. */
    public static final ArrayFormat<double[]> ARRAY_OF_FLOAT64 = new ArrayFormat<>(Double.BYTES) {
        @Override
        int count(double[] values) {
            return values.length;
        }

        @Override
        void put(byte[] out, int at, double[] values) {
            for (int i = 0; i < values.length; i++) {
                BigEndian.putFloat64(out, at + i * Double.BYTES, values[i]);
            }
        }

        @Override
        double[] get(byte[] in, int at, int count) {
            double[] values = new double[count];
            for (int i = 0; i < count; i++) {
                values[i] = BigEndian.float64(in, at + i * Double.BYTES);
            }
            return values;
        }
    };

    private final int itemBytes;

    private ArrayFormat(int itemBytes) {
        this.itemBytes = itemBytes;
    }

    abstract int count(T values);

    long bytes(int count) {
        return (long) count * itemBytes;
    }

    abstract void put(byte[] out, int at, T values);

    /** Returns an array of {@code count} items. The caller has checked that their bytes are inside {@code in}. */
    abstract T get(byte[] in, int at, int count);

    @Override
    final void write(Output out, T values) {
        int count = count(values);
        out.checkItems(count);
        int at = out.reserve(Integer.BYTES + bytes(count));
        BigEndian.putInt32(out.buffer, at, count);
        put(out.buffer, at + Integer.BYTES, values);
    }

    @Override
    public final @Nullable T read(byte[] in, int at, int until, Limits limits) {
        int count = Input.count(in, at, until);
        return count < 0 || count > limits.maxItems() || bytes(count) > until - at - Integer.BYTES
                ? null
                : get(in, at + Integer.BYTES, count);
    }

    @Override
    public final int end(byte[] in, int at) {
        return at + Integer.BYTES + (int) bytes(BigEndian.int32(in, at));
    }

    @Override
    final @Nullable Damage damage(byte[] in, int at, int until) {
        int left = until - at - Integer.BYTES;
        if (left < 0) {
            return Damage.cutOff(Integer.BYTES, until - at, at);
        }
        int count = BigEndian.int32(in, at);
        return count < 0 || bytes(count) != left ? Damage.miscounted(count, left, at) : null;
    }
}
