package dev.touchstone.messaging.term;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The hash function of all terms: multiply and fold, so that every bit of the input reaches the low bits. Compares short ranges too. */
final class HashFunction {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private HashFunction() {}

    static int of(long value) {
        return finish(mix(0, value));
    }

    static int of(int first, int second) {
        return of(((long) first << 32) | (second & 0xffffffffL));
    }

    /** Hashes {@code length} bytes, eight at a time; the last eight may overlap those before. */
    static int of(byte[] bytes, int offset, int length) {
        long hash = length;
        if (length >= 8) {
            int last = offset + length - 8;
            if (length > 16) {
                hash = ofMany(hash, bytes, offset, last);
            } else {
                hash = mix(hash, (long)
                        LONGS.get(bytes, offset)); // without a loop, whose set-up costs more than so few bytes
            }
            hash = mix(hash, (long) LONGS.get(bytes, last));
        } else if (length >= 4) {
            long high = (int) INTS.get(bytes, offset);
            long low = (int) INTS.get(bytes, offset + length - 4);
            hash = mix(hash, (high << 32) | (low & 0xffffffffL));
        } else if (length > 0) {
            int ends = ((bytes[offset] & 0xff) << 8) | (bytes[offset + length - 1] & 0xff);
            hash = mix(hash, ((long) ends << 8) | (bytes[offset + (length >> 1)] & 0xff));
        }
        return finish(hash);
    }

    /** Returns whether two ranges of {@code length} bytes are equal; fastest for at most 16 bytes, which most ranges have. */
    static boolean equal(byte[] a, int aOffset, byte[] b, int bOffset, int length) {
        if (length > 16) {
            return Arrays.equals(a, aOffset, aOffset + length, b, bOffset, bOffset + length);
        }
        if (length >= 8) {
            int last = length - 8;
            return (long) LONGS.get(a, aOffset) == (long) LONGS.get(b, bOffset)
                    && (long) LONGS.get(a, aOffset + last) == (long) LONGS.get(b, bOffset + last);
        }
        if (length >= 4) {
            int last = length - 4;
            return (int) INTS.get(a, aOffset) == (int) INTS.get(b, bOffset)
                    && (int) INTS.get(a, aOffset + last) == (int) INTS.get(b, bOffset + last);
        }
        return length == 0
                || (a[aOffset] == b[bOffset]
                        && a[aOffset + length - 1] == b[bOffset + length - 1]
                        && a[aOffset + (length >> 1)] == b[bOffset + (length >> 1)]);
    }

    private static long ofMany(long start, byte[] bytes, int offset, int end) {
        long hash = start;
        for (int i = offset; i < end; i += 8) {
            hash = mix(hash, (long) LONGS.get(bytes, i));
        }
        return hash;
    }

    private static long mix(long hash, long word) {
        long product = (hash ^ word) * GOLDEN;
        return product ^ (product >>> 32);
    }

    private static int finish(long hash) {
        return (int) ((hash * GOLDEN) >>> 32);
    }
}
