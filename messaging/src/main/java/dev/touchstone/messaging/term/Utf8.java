package dev.touchstone.messaging.term;

/** A check of strict UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF. */
final class Utf8 {
    private static final int MALFORMED = 0;

    private Utf8() {}

    /** Counts the characters (code points) of the bytes; returns -1 where they are not UTF-8. */
    static int characters(byte[] bytes, int offset, int length) {
        int end = offset + length;
        int count = 0;
        for (int i = offset; i < end; count++) {
            int step = bytes[i] >= 0 ? 1 : sequence(bytes, i, end);
            if (step == MALFORMED) {
                return -1;
            }
            i += step;
        }
        return count;
    }

    /** Returns the length of the sequence of two or more bytes at {@code at}, or {@code MALFORMED}. */
    private static int sequence(byte[] bytes, int at, int end) {
        int lead = bytes[at] & 0xff;
        int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
        if (lead < 0xc2 || lead > 0xf4 || end - at <= more) {
            return MALFORMED;
        }
        int code = lead & (0x3f >> more);
        for (int i = at + 1; i <= at + more; i++) {
            if ((bytes[i] & 0xc0) != 0x80) {
                return MALFORMED;
            }
            code = (code << 6) | (bytes[i] & 0x3f);
        }
        boolean overlong = (more == 2 && code < 0x800) || (more == 3 && code < 0x10000);
        boolean surrogate = code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE;
        return overlong || surrogate || code > Character.MAX_CODE_POINT ? MALFORMED : more + 1;
    }
}
