package dev.touchstone.index.server.api;

import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** An answer while it is written: a status, a few headers, and bytes. Reused for one answer after the other. Not thread-safe. */
public final class Response {
    private static final int FIRST_BYTES = 1 << 10;
    private static final int KEPT_BYTES = 1 << 18;
    private static final int SHORT_CHARS = 1 << 10; // of a text for which the longest form is reserved
    private static final byte[] HEX = ascii16();

    private final @Nullable MemoryBudget room;
    private final int freeBytes; // maximum length of a buffer that is not taken from the room
    private int taken; // bytes that were taken from the room
    private byte[] bytes = new byte[FIRST_BYTES];
    private int size;
    private int status = 200;
    private ContentType type = ContentType.JSON;
    private long version;
    private String headers = "";
    private boolean isDeferred;
    private boolean isPacked;
    private BooleanSupplier stop = () -> false;

    /** Creates an empty answer that may become as large as needed. */
    public Response() {
        this(null);
    }

    /**
     * Creates an empty answer whose growth is taken from a shared budget, until {@link #take} or {@link #free}. Methods that write to it throw {@link
     * NoRoomException} beyond the budget.
     *
     * @param room shared memory budget, or null for an answer that may become as large as needed
     */
    public Response(@Nullable MemoryBudget room) {
        this(room, FIRST_BYTES);
    }

    /**
     * Creates an empty answer like {@link #Response(Room)}, of which only a buffer beyond some length is taken from the budget.
     *
     * @param room shared memory budget, or null for an answer that may become as large as needed
     * @param freeBytes maximum length in bytes of a buffer that is not taken from the budget
     */
    public Response(@Nullable MemoryBudget room, int freeBytes) {
        this.room = room;
        this.freeBytes = freeBytes;
    }

    private static byte[] ascii16() {
        byte[] digits = new byte[16];
        for (int i = 0; i < digits.length; i++) {
            digits[i] = (byte) Character.forDigit(i, 16);
        }
        return digits;
    }

    /** Empties this answer: status 200, content type of JSON, no version. */
    public void reset() {
        size = 0;
        status = 200;
        type = ContentType.JSON;
        version = 0;
        headers = "";
        isDeferred = false;
        isPacked = false;
        if (bytes.length > KEPT_BYTES) {
            free();
        }
    }

    /** Empties this answer, and gives its memory back to the budget. */
    public void free() {
        if (room != null) {
            room.give(taken);
        }
        take();
    }

    /**
     * Returns the memory that was taken from the budget.
     *
     * @return number of bytes, at least 0
     */
    public int taken() {
        return taken;
    }

    /**
     * Returns the HTTP status.
     *
     * @return status, 200 if not set
     */
    public int status() {
        return status;
    }

    /**
     * Returns the content type.
     *
     * @return content type, {@link ContentType#JSON} if not set
     */
    public ContentType type() {
        return type;
    }

    /**
     * Returns the version of the index to which this answer refers.
     *
     * @return number of the version, or 0 if the answer does not refer to one
     */
    public long version() {
        return version;
    }

    /**
     * Returns the buffer of this answer, which holds its bytes from index 0 to before {@link #size}.
     *
     * @return buffer, which this answer still uses
     */
    public byte[] bytes() {
        return bytes;
    }

    /**
     * Transfers ownership of the buffer, and of the memory that was taken from the budget, to the caller, and empties this answer.
     *
     * @return buffer
     */
    public byte[] take() {
        byte[] before = bytes;
        bytes = new byte[FIRST_BYTES];
        size = 0;
        taken = 0;
        return before;
    }

    /**
     * Returns the length of this answer.
     *
     * @return number of bytes
     */
    public int size() {
        return size;
    }

    /**
     * Returns further headers, as lines with their line ends.
     *
     * @return headers, usually empty
     */
    public String headers() {
        return headers;
    }

    /**
     * Makes this answer a refusal with a line of text.
     *
     * @param code HTTP status
     * @param message reason, for people
     */
    public void refuse(int code, String message) {
        reset();
        new RequestException(code, message).writeText(this);
    }

    /**
     * Makes this answer a refusal that asks the client to try again later.
     *
     * @param message reason, for people
     */
    public void busy(String message) {
        busy(503, message);
    }

    /**
     * Makes this answer a refusal that asks the client to try again later.
     *
     * @param code HTTP status: 429 if the client sends too much, 503 if the server can do too little
     * @param message reason, for people
     */
    public void busy(int code, String message) {
        refuse(code, message);
        header("retry-after", "1");
    }

    /**
     * Makes this answer a copy of another one.
     *
     * @param other answer to copy
     */
    public void refuse(Response other) {
        reset();
        status = other.status;
        type = other.type;
        headers = other.headers;
        put(other.bytes, 0, other.size);
    }

    /**
     * Adds a header.
     *
     * @param name name of the header, in ASCII
     * @param value value of the header, in ASCII and without line ends
     */
    public void header(String name, String value) {
        headers += name + ": " + value + "\r\n";
    }

    /**
     * Replaces the bytes of this answer by the same in fewer bytes.
     *
     * @param gzip bytes compressed by gzip, not more than before
     */
    public void pack(byte[] gzip) {
        size = 0;
        put(gzip);
        isPacked = true;
    }

    /**
     * Returns whether the bytes of this answer are compressed by gzip.
     *
     * @return whether {@link #pack} was called
     */
    public boolean isPacked() {
        return isPacked;
    }

    /** Marks this answer as deferred: the handler has not answered, because that would take longer than other requests may wait. */
    public void defer() {
        isDeferred = true;
    }

    /**
     * Returns whether the request must be answered by another handler, on a thread where no other request waits.
     *
     * @return whether the handler deferred the request
     */
    public boolean isDeferred() {
        return isDeferred;
    }

    /**
     * Lets handlers know that nobody needs this answer any more.
     *
     * @param check returns whether to stop; called often, on the thread of the handler
     */
    public void stopWhen(BooleanSupplier check) {
        stop = check;
    }

    /**
     * Returns whether the handler should stop, because this answer comes too late or is not needed.
     *
     * @return result of the check of {@link #stopWhen}, false without one
     */
    public boolean isStopped() {
        return stop.getAsBoolean();
    }

    /**
     * Ends the work of a handler that should stop.
     *
     * @throws CancellationException if the handler should stop
     */
    public void checkStopped() {
        if (isStopped()) {
            throw new CancellationException("the request was stopped after " + size + " bytes of its answer");
        }
    }

    /**
     * Sets the HTTP status.
     *
     * @param code status
     */
    public void status(int code) {
        status = code;
    }

    /**
     * Sets the content type.
     *
     * @param next content type, not null
     */
    public void type(ContentType next) {
        type = next;
    }

    /**
     * Sets the version of the index to which this answer refers.
     *
     * @param number number of the version
     */
    public void version(long number) {
        version = number;
    }

    /**
     * Discards the bytes behind a size.
     *
     * @param before number of bytes to keep, at most {@link #size}
     */
    public void truncate(int before) {
        size = before;
    }

    /**
     * Makes room for about as many further bytes.
     *
     * @param more number of bytes, at least 0
     */
    public void expect(int more) {
        if (more > bytes.length - size) {
            grow(size + more);
        }
    }

    private void grow(int length) {
        if (room == null || length <= freeBytes) {
            bytes = Arrays.copyOf(bytes, length);
            return;
        }
        if (!room.take(length)) { // both arrays exist while one is copied
            throw new NoRoomException(length);
        }
        int unused = length;
        try {
            bytes = Arrays.copyOf(bytes, length);
            unused = taken;
            taken = length;
        } finally {
            room.give(unused); // also after an OutOfMemoryError
        }
    }

    private void room(int more) {
        if (more > bytes.length - size) {
            grow(Math.max(size + more, bytes.length * 2));
        }
    }

    /**
     * Writes a byte.
     *
     * @param one byte, of which the lowest eight bits count
     * @return this answer
     */
    public Response put(int one) {
        room(1);
        bytes[size++] = (byte) one;
        return this;
    }

    /**
     * Writes some of the bytes of an array.
     *
     * @param from array, not null
     * @param begin index of the first byte
     * @param end index behind the last byte
     * @return this answer
     */
    public Response put(byte[] from, int begin, int end) {
        room(end - begin);
        System.arraycopy(from, begin, bytes, size, end - begin);
        size += end - begin;
        return this;
    }

    /**
     * Writes all bytes of an array.
     *
     * @param all array, not null
     * @return this answer
     */
    public Response put(byte[] all) {
        return put(all, 0, all.length);
    }

    /**
     * Writes a number in decimal digits.
     *
     * @param number any number
     * @return this answer
     */
    public Response digits(long number) {
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

    /**
     * Writes a number with a decimal point before its last digits.
     *
     * @param unscaled digits of the number
     * @param scale number of digits behind the point, at most 18
     * @return this answer
     */
    public Response decimal(long unscaled, int scale) {
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

    /**
     * Writes the 36 characters of a UUID.
     *
     * @param high upper 64 bits
     * @param low lower 64 bits
     * @return this answer
     */
    public Response uuid(long high, long low) {
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

    /**
     * Writes text that consists of ASCII characters.
     *
     * @param text text, not null
     * @return this answer
     */
    public Response ascii(String text) {
        int length = text.length();
        room(length);
        byte[] out = bytes;
        int at = size;
        for (int i = 0; i < length; i++) {
            out[at + i] = (byte) text.charAt(i);
        }
        size = at + length;
        return this;
    }

    /**
     * Writes a JSON string with its quotes.
     *
     * @param text any text, not null
     * @return this answer
     */
    public Response json(String text) {
        int length = text.length();
        room(
                length <= SHORT_CHARS
                        ? length * 6 + 2
                        : jsonBytes(text) + FIRST_BYTES); // with what stands behind the text
        byte[] out = bytes;
        int at = size; // in variables, because a field would be stored for each character
        out[at++] = '"';
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c < 0x7F && c != '"' && c != '\\') {
                out[at++] = (byte) c;
            } else {
                size = at;
                i = odd(text, i, c);
                at = size;
            }
        }
        out[at++] = '"';
        size = at;
        return this;
    }

    /** Returns the length of a text as a JSON string with its quotes. */
    private static int jsonBytes(String text) {
        long length = 2;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c < 0x7F) {
                length += c == '"' || c == '\\' ? 2 : 1;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                length += 4;
                i++;
            } else {
                length += c < 0x80 || Character.isSurrogate(c) ? 6 : c < 0x800 ? 2 : 3;
            }
        }
        return Math.toIntExact(length);
    }

    /** Writes a character that is not a single byte; returns the index of the last char of the character. */
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
}
