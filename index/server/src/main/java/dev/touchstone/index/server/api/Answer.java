package dev.touchstone.index.server.api;

import java.io.OutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A status and the bytes of an answer, while they are written. Used for one answer after the other; not thread-safe. */
public final class Answer {
    private static final int FIRST_BYTES = 1 << 10;
    private static final int KEPT_BYTES = 1 << 18;
    private static final byte[] HEX = ascii16();

    private final @Nullable Room room;
    private int taken; // of the room
    private byte[] bytes = new byte[FIRST_BYTES];
    private int size;
    private int status = 200;
    private ContentType type = ContentType.JSON;
    private long version;
    private String headers = "";
    private boolean isDeferred;
    private final OutputStream stream = new Stream();

    /** An empty answer, as large as need be. */
    public Answer() {
        this(null);
    }

    /** An empty answer that takes what it grows by from what answers share, until {@link #take} or {@link #free}. */
    public Answer(@Nullable Room room) {
        this.room = room;
    }

    private static byte[] ascii16() {
        byte[] digits = new byte[16];
        for (int i = 0; i < digits.length; i++) {
            digits[i] = (byte) Character.forDigit(i, 16);
        }
        return digits;
    }

    /** Empties it: status 200, JSON, no version. */
    public void reset() {
        size = 0;
        status = 200;
        type = ContentType.JSON;
        version = 0;
        headers = "";
        isDeferred = false;
        if (bytes.length > KEPT_BYTES) {
            free();
        }
    }

    /** Empties it, and gives back what it has taken. */
    public void free() {
        if (room != null) {
            room.give(taken);
        }
        take();
    }

    /** How many bytes it has taken of what answers share. */
    public int taken() {
        return taken;
    }

    public int status() {
        return status;
    }

    public ContentType type() {
        return type;
    }

    /** The version of the index that it is true for; 0 if it is of none. */
    public long version() {
        return version;
    }

    /** Holds the answer's bytes from 0 to before {@link #size}. */
    public byte[] bytes() {
        return bytes;
    }

    /** What {@link #bytes} holds, which is the caller's from now on, as what was taken for it is. Empties it. */
    public byte[] take() {
        byte[] before = bytes;
        bytes = new byte[FIRST_BYTES];
        size = 0;
        taken = 0;
        return before;
    }

    public int size() {
        return size;
    }

    /** Lines of further headers, each with its end; mostly empty. */
    public String headers() {
        return headers;
    }

    /** Makes it an answer that no handler gives: a status, and a line of text. */
    public void refuse(int code, String message) {
        reset();
        Errors.text(new RequestException(code, message), this);
    }

    /** Makes it an answer that asks to come again later. */
    public void busy(String message) {
        refuse(503, message);
        header("retry-after", "1");
    }

    /** Makes it an answer that another one is. */
    public void refuse(Answer other) {
        reset();
        status = other.status;
        type = other.type;
        headers = other.headers;
        put(other.bytes, 0, other.size);
    }

    /** Adds a header, of ASCII characters. */
    public void header(String name, String value) {
        headers += name + ": " + value + "\r\n";
    }

    /** Says that the handler would take longer than others may wait for it, and has not answered. */
    void defer() {
        isDeferred = true;
    }

    /** Whether another handler must be asked, where nobody waits for it. */
    public boolean isDeferred() {
        return isDeferred;
    }

    void status(int code) {
        status = code;
    }

    void type(ContentType next) {
        type = next;
    }

    void version(long number) {
        version = number;
    }

    /** Takes back what was written behind a size. */
    void truncate(int before) {
        size = before;
    }

    /** Writes behind what is there. */
    OutputStream stream() {
        return stream;
    }

    /** Makes room for so many bytes, about. */
    void expect(int more) {
        if (more > bytes.length - size) {
            grow(size + more);
        }
    }

    private void grow(int length) {
        if (room == null) {
            bytes = Arrays.copyOf(bytes, length);
            return;
        }
        if (!room.take(length)) { // both arrays are there for a while
            throw new NoRoomException(length);
        }
        bytes = Arrays.copyOf(bytes, length);
        room.give(taken);
        taken = length;
    }

    private void room(int more) {
        if (more > bytes.length - size) {
            grow(Math.max(size + more, bytes.length * 2));
        }
    }

    Answer put(int one) {
        room(1);
        bytes[size++] = (byte) one;
        return this;
    }

    Answer put(byte[] from, int begin, int end) {
        room(end - begin);
        System.arraycopy(from, begin, bytes, size, end - begin);
        size += end - begin;
        return this;
    }

    Answer put(byte[] all) {
        return put(all, 0, all.length);
    }

    /** A number in decimal digits. */
    Answer digits(long number) {
        if (number == Long.MIN_VALUE) {
            return ascii(Long.toString(number));
        }
        room(20);
        long left = number;
        if (left < 0) {
            bytes[size++] = '-';
            left = -left;
        }
        int count = 1;
        for (long bound = 10; count < 19 && left >= bound; bound *= 10) {
            count++;
        }
        size += count;
        for (int at = size - 1; count > 0; count--) {
            long tens = left / 10;
            bytes[at--] = (byte) ('0' + (left - tens * 10));
            left = tens;
        }
        return this;
    }

    /** A number with a point before its last digits. */
    Answer decimal(long unscaled, int scale) {
        if (scale <= 0 || unscaled == Long.MIN_VALUE) {
            return scale == 0
                    ? digits(unscaled)
                    : ascii(java.math.BigDecimal.valueOf(unscaled, scale).toPlainString());
        }
        long power = 1;
        for (int i = 0; i < scale; i++) {
            power *= 10; // a scale is at most 18
        }
        long whole = unscaled / power;
        long rest = Math.abs(unscaled % power);
        if (whole == 0 && unscaled < 0) {
            put('-');
        }
        digits(whole).put('.');
        for (long digit = power / 10; digit > 0; digit /= 10) {
            put((int) ('0' + rest / digit % 10));
        }
        return this;
    }

    /** The 36 characters of a UUID. */
    Answer uuid(long high, long low) {
        room(36);
        byte[] out = bytes;
        int at = size;
        at = hex(out, at, high >>> 32, 8);
        out[at++] = '-';
        at = hex(out, at, high >>> 16, 4);
        out[at++] = '-';
        at = hex(out, at, high, 4);
        out[at++] = '-';
        at = hex(out, at, low >>> 48, 4);
        out[at++] = '-';
        size = hex(out, at, low, 12);
        return this;
    }

    private static int hex(byte[] out, int at, long value, int digits) {
        for (int i = 0; i < digits; i++) {
            out[at + i] = HEX[(int) (value >>> (4 * (digits - 1 - i))) & 15];
        }
        return at + digits;
    }

    /** Text of ASCII characters, as it is. */
    Answer ascii(String text) {
        int length = text.length();
        room(length);
        for (int i = 0; i < length; i++) {
            bytes[size + i] = (byte) text.charAt(i);
        }
        size += length;
        return this;
    }

    /** A JSON string, with its quotes. */
    Answer json(String text) {
        int length = text.length();
        room(length * 6 + 2);
        bytes[size++] = '"';
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c < 0x7F && c != '"' && c != '\\') {
                bytes[size++] = (byte) c;
            } else {
                i = odd(text, i, c);
            }
        }
        bytes[size++] = '"';
        return this;
    }

    /** A character that is not written as one byte; the index of its last half. */
    private int odd(String text, int i, char c) {
        if (c < 0x80) {
            escape(c);
        } else if (c < 0x800) {
            bytes[size++] = (byte) (0xC0 | c >> 6);
            bytes[size++] = (byte) (0x80 | (c & 0x3F));
        } else if (Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1))) {
            int point = Character.toCodePoint(c, text.charAt(i + 1));
            bytes[size++] = (byte) (0xF0 | point >> 18);
            bytes[size++] = (byte) (0x80 | (point >> 12 & 0x3F));
            bytes[size++] = (byte) (0x80 | (point >> 6 & 0x3F));
            bytes[size++] = (byte) (0x80 | (point & 0x3F));
            return i + 1;
        } else if (Character.isSurrogate(c)) {
            escape(c);
        } else {
            bytes[size++] = (byte) (0xE0 | c >> 12);
            bytes[size++] = (byte) (0x80 | (c >> 6 & 0x3F));
            bytes[size++] = (byte) (0x80 | (c & 0x3F));
        }
        return i;
    }

    private void escape(char c) {
        bytes[size++] = '\\';
        if (c == '"' || c == '\\') {
            bytes[size++] = (byte) c;
            return;
        }
        bytes[size++] = 'u';
        size = hex(bytes, size, c, 4);
    }

    /** Bytes that come from elsewhere. */
    private final class Stream extends OutputStream {
        @Override
        public void write(int one) {
            put(one);
        }

        @Override
        public void write(byte[] from, int begin, int length) {
            put(from, begin, begin + length);
        }
    }
}
