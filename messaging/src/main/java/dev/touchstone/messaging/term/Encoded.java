package dev.touchstone.messaging.term;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The encoding of terms that are kept in the external term format, so that writing one is a single copy.
 *
 * <pre>
 *   119 length:1 name      an atom of at most 255 bytes     118 length:2 name      a longer one
 *   110 length:1 sign:1 m  an integer of at most 255 bytes  111 length:4 sign:1 m  a larger one
 * </pre>
 */
final class Encoded {
    private static final int SMALL_ATOM_UTF8 = 119;
    private static final int ATOM_UTF8 = 118;
    private static final int SMALL_BIG = 110;
    private static final int LARGE_BIG = 111;
    private static final int MAX_SMALL = 255;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private Encoded() {}

    /**
     * Copies bytes between different arrays. A few bytes, which most atoms are, take less time than {@link System#arraycopy} takes to
     * begin.
     */
    static void copy(byte[] from, byte[] to, int at, int length) {
        if (length >= Long.BYTES && length <= 2 * Long.BYTES) { // the two words may overlap
            int last = length - Long.BYTES;
            LONGS.set(to, at, (long) LONGS.get(from, 0));
            LONGS.set(to, at + last, (long) LONGS.get(from, last));
        } else if (length >= Integer.BYTES && length < Long.BYTES) {
            int last = length - Integer.BYTES;
            INTS.set(to, at, (int) INTS.get(from, 0));
            INTS.set(to, at + last, (int) INTS.get(from, last));
        } else {
            System.arraycopy(from, 0, to, at, length);
        }
    }

    /** Encodes an atom whose name is given in UTF-8, of at most 65,535 bytes. */
    static byte[] atom(byte[] name, int offset, int length) {
        int header = length <= MAX_SMALL ? 2 : 3;
        byte[] encoded = new byte[header + length];
        encoded[0] = (byte) (length <= MAX_SMALL ? SMALL_ATOM_UTF8 : ATOM_UTF8);
        encoded[1] = (byte) (length <= MAX_SMALL ? length : length >> 8);
        encoded[header - 1] = (byte) length;
        System.arraycopy(name, offset, encoded, header, length);
        return encoded;
    }

    /** Returns the number of bytes before the name. */
    static int atomHeader(byte[] encoded) {
        return encoded.length <= MAX_SMALL + 2 ? 2 : 3;
    }

    /**
     * Encodes an integer.
     *
     * @param source the magnitude, lowest byte first; the last byte is not 0
     */
    static byte[] big(boolean negative, byte[] source, int offset, int length) {
        int header = length <= MAX_SMALL ? 3 : 6;
        byte[] encoded = new byte[header + length];
        encoded[0] = (byte) (length <= MAX_SMALL ? SMALL_BIG : LARGE_BIG);
        for (int i = header - 2, rest = length; i > 0; i--, rest >>= 8) {
            encoded[i] = (byte) rest;
        }
        encoded[header - 1] = (byte) (negative ? 1 : 0);
        System.arraycopy(source, offset, encoded, header, length);
        return encoded;
    }

    /** Returns the number of bytes before the magnitude. */
    static int bigHeader(byte[] encoded) {
        return encoded[0] == SMALL_BIG ? 3 : 6;
    }
}
