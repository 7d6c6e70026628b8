package dev.touchstone.serialization.layout;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Methods that convert strings to UTF-8 and back without an array in between. They use the two deprecated methods of {@code String} that copy single
 * bytes. Those methods are wrong for all but ASCII, so all bytes or characters are checked, eight bytes at a time where possible.
 */
public final class Utf8 {
    private static final int ASCII_END = 0x80;
    private static final int TWO_BYTES_END = 0x800;
    private static final int TWO_BYTES = 0xc080;
    private static final int THREE_BYTES = 0xe0_8080;
    private static final int FOUR_BYTES = 0xf080_8080;
    private static final byte LATIN1_LAST = (byte) 0xc3; // largest first byte of a Latin-1 character of two bytes
    private static final byte CONTINUATION_END = (byte) 0xc0;
    private static final int[] MIN_POINT = {0, 0, ASCII_END, TWO_BYTES_END, Character.MIN_SUPPLEMENTARY_CODE_POINT};

    /** Length in bytes from which on the JDK decodes faster than this class. */
    private static final int LONG = 256;

    private static final long NEGATIVE = 0x8080_8080_8080_8080L;
    private static final char REPLACEMENT = '\ufffd';

    private Utf8() {}

    /**
     * Writes a string of ASCII characters.
     *
     * @return whether the string has ASCII characters only; if not, the bytes written are not usable
     */
    @SuppressWarnings("deprecation")
    public static boolean putAscii(byte[] out, int at, String value, int length) {
        value.getBytes(0, length, out, at);
        int all = 0;
        for (int i = 0; i < length; i++) {
            all |= value.charAt(i);
        }
        return all < ASCII_END;
    }

    /**
     * Writes characters in UTF-8, with a question mark for each surrogate without its other half. The array must have room for three bytes for each
     * character, and for one more.
     *
     * @return offset behind the last byte
     */
    public static int put(byte[] out, int at, char[] units, int length) {
        int to = at;
        for (int i = 0; i < length; i++) {
            int unit = units[i];
            if (unit < TWO_BYTES_END) { // without a branch, which the processor could not predict in mixed text
                boolean isAscii = unit < ASCII_END;
                int two = TWO_BYTES | ((unit & 0x7c0) << 2) | (unit & 0x3f);
                BigEndian.putInt16(out, to, (short) (isAscii ? unit << 8 : two));
                to += isAscii ? 1 : 2;
            } else if (unit < Character.MIN_SURROGATE || unit > Character.MAX_SURROGATE) {
                int three = THREE_BYTES | ((unit & 0xf000) << 4) | ((unit & 0xfc0) << 2) | (unit & 0x3f);
                BigEndian.putInt32(out, to, three << Byte.SIZE);
                to += 3;
            } else if (unit < Character.MIN_LOW_SURROGATE && i + 1 < length && Character.isLowSurrogate(units[i + 1])) {
                int point = Character.toCodePoint((char) unit, units[++i]);
                int four = FOUR_BYTES
                        | ((point & 0x1c_0000) << 6)
                        | ((point & 0x3_f000) << 4)
                        | ((point & 0xfc0) << 2)
                        | (point & 0x3f);
                BigEndian.putInt32(out, to, four);
                to += 4;
            } else {
                out[to++] = '?';
            }
        }
        return to;
    }

    /** Returns the string of bytes, or null if they are not UTF-8. The bytes must not be among the first 8 of the array. */
    public static @Nullable String get(byte[] in, int at, int length) {
        if (isAscii(in, at, length)) {
            return getAscii(in, at, length);
        }
        if (length < LONG && isBeyondLatin1(in, at)) {
            return getAny(in, at, at + length);
        }
        String value = new String(in, at, length, StandardCharsets.UTF_8);
        return value.indexOf(REPLACEMENT) < 0 || isEncoding(value, in, at, length) ? value : null;
    }

    /** Returns whether the first character that is not ASCII is not Latin-1 either. The JDK decodes Latin-1 strings faster than this class. */
    private static boolean isBeyondLatin1(byte[] in, int at) {
        int first = at;
        while (in[first] >= 0) {
            first++;
        }
        return in[first] > LATIN1_LAST;
    }

    /**
     * Decodes bytes, or returns null if they are not UTF-8. Well-formed sequences are those of table 3-7 of the Unicode standard, 15.0, chapter 3.9.
     */
    private static @Nullable String getAny(byte[] in, int at, int end) {
        char[] units = new char[end - at];
        int count = 0;
        for (int i = at; i < end; ) {
            int first = in[i];
            if (first >= 0) {
                units[count++] = (char) first;
                i++;
                continue;
            }
            int bytes = first < (byte) 0xe0 ? 2 : first < (byte) 0xf0 ? 3 : 4;
            if (first < (byte) 0xc2 || first > (byte) 0xf4 || bytes > end - i) {
                return null;
            }
            int second = in[i + 1];
            int point = ((first & (0xff >> (bytes + 1))) << 6) | (second & 0x3f);
            boolean follow = second < CONTINUATION_END;
            if (bytes > 2) {
                follow &= in[i + 2] < CONTINUATION_END;
                point = (point << 6) | (in[i + 2] & 0x3f);
            }
            if (bytes > 3) {
                follow &= in[i + 3] < CONTINUATION_END;
                point = (point << 6) | (in[i + 3] & 0x3f);
            }
            if (!follow
                    || point < MIN_POINT[bytes]
                    || (point >> 11) == (Character.MIN_SURROGATE >> 11)
                    || point > Character.MAX_CODE_POINT) {
                return null;
            }
            if (bytes < 4) {
                units[count++] = (char) point;
            } else {
                units[count++] = Character.highSurrogate(point);
                units[count++] = Character.lowSurrogate(point);
            }
            i += bytes;
        }
        return new String(units, 0, count);
    }

    /** Returns whether bytes are the UTF-8 of a string; if not, the decoder has replaced some of them. */
    private static boolean isEncoding(String value, byte[] in, int at, int length) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        return Arrays.equals(utf8, 0, utf8.length, in, at, at + length);
    }

    /**
     * Returns whether the bytes at an offset, which must be inside the array, equal other bytes. The last bytes are compared first, because similar
     * strings differ there.
     */
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
