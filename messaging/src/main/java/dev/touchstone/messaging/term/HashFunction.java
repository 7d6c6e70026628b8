package dev.touchstone.messaging.term;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * The hash function of all terms: multiplies and folds the product of 128 bits, so that every bit of the input reaches every bit of the hash.
 * Its secret numbers are drawn anew in each process, so that no peer can choose terms that have the same hash. Compares short ranges too.
 */
final class HashFunction {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long START;
    private static final long FACTOR;
    private static final long OTHER;

    static {
        SecureRandom random = new SecureRandom();
        START = random.nextLong();
        FACTOR = random.nextLong() | 1;
        OTHER = random.nextLong();
    }

    private HashFunction() {}

    static int of(long value) {
        return (int) mix(START, value);
    }

    /** Hashes two words; both may be a peer's choice. */
    static int of(long first, long second) {
        return (int) fold(first ^ START, second ^ OTHER);
    }

    /** Hashes three words; all may be a peer's choice. */
    static int of(long first, long second, long third) {
        return (int) mix(fold(first ^ START, second ^ OTHER), third);
    }

    static long pair(int high, int low) {
        return ((long) high << 32) | (low & 0xffffffffL);
    }

    /** Adds the hash of a part to that of the parts before it; unlike a sum of products this cannot be made equal by rearranging parts. */
    static int add(int before, int part) {
        return (int) mix(OTHER, pair(before, part));
    }

    static int of(int first, int second) {
        return of(pair(first, second));
    }

    /** Hashes {@code length} bytes, eight at a time; the last eight may overlap those before. */
    static int of(byte[] bytes, int offset, int length) {
        long hash = START ^ length;
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
        return (int) hash;
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
        return fold(hash ^ word, FACTOR);
    }

    private static long fold(long a, long b) {
        return Math.multiplyHigh(a, b) ^ (a * b);
    }
}
