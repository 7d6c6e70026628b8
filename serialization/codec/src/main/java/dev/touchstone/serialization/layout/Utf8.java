package dev.touchstone.serialization.layout;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Strings to and from bytes, without an array between. Uses the two deprecated methods of String that copy
 * single bytes: they are wrong for all but ASCII, which is why everything is looked at, eight bytes at a time where it can be.
 */
public final class Utf8 {
    private static final int END = 0x80;
    private static final int TWO_BYTES_END = 0x800;
    private static final long NEGATIVE = 0x8080_8080_8080_8080L;
    private static final char REPLACEMENT = '\ufffd';

    private Utf8() {}

    /**
     * Writes a string, for each half of a surrogate pair a question mark. There must be room for three bytes for each character.
     *
     * @return where it ends
     */
    @SuppressWarnings("deprecation")
    public static int put(byte[] out, int at, String value, int length) {
        value.getBytes(0, length, out, at);
        int all = 0;
        for (int i = 0; i < length; i++) {
            all |= value.charAt(i);
        }
        return all < END ? at + length : putAny(out, at, value, length);
    }

    private static int putAny(byte[] out, int at, String value, int length) {
        int to = at;
        for (int i = 0; i < length; i++) {
            char unit = value.charAt(i);
            if (unit < END) {
                out[to++] = (byte) unit;
            } else if (unit < TWO_BYTES_END) {
                out[to++] = (byte) (0xc0 | (unit >> 6));
                out[to++] = (byte) (0x80 | (unit & 0x3f));
            } else if (!Character.isSurrogate(unit)) {
                out[to++] = (byte) (0xe0 | (unit >> 12));
                out[to++] = (byte) (0x80 | ((unit >> 6) & 0x3f));
                out[to++] = (byte) (0x80 | (unit & 0x3f));
            } else if (Character.isHighSurrogate(unit)
                    && i + 1 < length
                    && Character.isLowSurrogate(value.charAt(i + 1))) {
                int codePoint = Character.toCodePoint(unit, value.charAt(++i));
                out[to++] = (byte) (0xf0 | (codePoint >> 18));
                out[to++] = (byte) (0x80 | ((codePoint >> 12) & 0x3f));
                out[to++] = (byte) (0x80 | ((codePoint >> 6) & 0x3f));
                out[to++] = (byte) (0x80 | (codePoint & 0x3f));
            } else {
                out[to++] = '?';
            }
        }
        return to;
    }

    /** The string of bytes, which are not among the first 8 of the array; null if they are not UTF-8. */
    public static @Nullable String get(byte[] in, int at, int length) {
        if (isAscii(in, at, length)) {
            return getAscii(in, at, length);
        }
        String value = new String(in, at, length, StandardCharsets.UTF_8);
        return value.indexOf(REPLACEMENT) < 0 || isEncoding(value, in, at, length) ? value : null;
    }

    /** Whether bytes are those of a string, or had to be replaced to become one. */
    private static boolean isEncoding(String value, byte[] in, int at, int length) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        return Arrays.equals(utf8, 0, utf8.length, in, at, at + length);
    }

    /** Whether these bytes stand somewhere, which is known to be inside. Strings that are alike differ at their ends, so that is where it begins. */
    public static boolean isAt(byte[] in, int at, byte[] utf8) {
        int last = utf8.length - Long.BYTES;
        if (last < 0) {
            return Arrays.equals(in, at, at + utf8.length, utf8, 0, utf8.length);
        }
        return BigEndian.int64(in, at + last) == BigEndian.int64(utf8, last) && isBefore(in, at, utf8, last);
    }

    private static boolean isBefore(byte[] in, int at, byte[] utf8, int last) {
        for (int i = 0; i < last; i += Long.BYTES) {
            if (BigEndian.int64(in, at + i) != BigEndian.int64(utf8, i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAscii(byte[] in, int at, int length) {
        int last = at + length - Long.BYTES;
        long ends = BigEndian.int64(in, last);
        if (length < Long.BYTES) {
            return length == 0 || (ends << (Long.SIZE - Byte.SIZE * length) & NEGATIVE) == 0;
        }
        ends |= BigEndian.int64(in, at);
        return (ends & NEGATIVE) == 0 && (length <= 2 * Long.BYTES || isBetween(in, at + Long.BYTES, last));
    }

    private static boolean isBetween(byte[] in, int from, int until) {
        long all = 0;
        for (int next = from; next < until; next += Long.BYTES) {
            all |= BigEndian.int64(in, next);
        }
        return (all & NEGATIVE) == 0;
    }

    @SuppressWarnings("deprecation")
    private static String getAscii(byte[] in, int at, int length) {
        return new String(in, 0, at, length);
    }
}
