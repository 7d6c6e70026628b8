package dev.touchstone.serialization.layout;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Strings to and from bytes: those of ASCII, which most are, without an array between. Uses the two deprecated methods of String that copy
 * single bytes: they are wrong for anything else, which is why everything is looked at, eight bytes at a time where it can be.
 */
public final class Utf8 {
    private static final int END = 0x80;
    private static final long NEGATIVE = 0x8080_8080_8080_8080L;
    private static final char REPLACEMENT = '\ufffd';

    private Utf8() {}

    /**
     * Writes a string's low bytes.
     *
     * @return whether there was nothing else in it; if not, what was written is worthless
     */
    @SuppressWarnings("deprecation")
    public static boolean putAscii(byte[] out, int at, String value, int length) {
        value.getBytes(0, length, out, at);
        int all = 0;
        for (int i = 0; i < length; i++) {
            all |= value.charAt(i);
        }
        return all < END;
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
