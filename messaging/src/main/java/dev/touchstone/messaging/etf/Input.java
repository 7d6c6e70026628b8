package dev.touchstone.messaging.etf;

import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Term;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The bytes that a {@link TermReader} reads, and its position. Every access is checked against the end of the bytes. */
final class Input {
    private static final VarHandle SHORTS = view(short[].class);
    private static final VarHandle INTS = view(int[].class);
    private static final VarHandle LONGS = view(long[].class);
    private static final int SMALL_INTEGER_BYTES = 2;
    private static final int INTEGER_BYTES = 5;

    byte[] buffer = new byte[0];
    int position;
    int end;
    /** True if the array does not change any more, so that terms may share it. */
    boolean retained;

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.BIG_ENDIAN);
    }

    int remaining() {
        return end - position;
    }

    /** Passes {@code length} bytes; returns the index of the first. */
    int take(int length) {
        int at = position;
        if (length > end - at) {
            throw truncated(length);
        }
        position = at + length;
        return at;
    }

    int u8() {
        int at = position++;
        if (at >= end) {
            throw pastEnd();
        }
        return buffer[at] & 0xff;
    }

    int peek() {
        if (position >= end) {
            throw truncated(1);
        }
        return buffer[position] & 0xff;
    }

    int u16() {
        return (short) SHORTS.get(buffer, take(2)) & 0xffff;
    }

    int i32() {
        return (int) INTS.get(buffer, take(4));
    }

    /** Returns a number at a place that was {@link #take taken}. */
    int i32At(int at) {
        return (int) INTS.get(buffer, at);
    }

    long i64() {
        return (long) LONGS.get(buffer, take(8));
    }

    /** Reads a length or number of 32 bits, of things that take a byte at least each. */
    int count() {
        int count = i32();
        if (count < 0 || count > end - position) {
            throw new MalformedTermException(
                    "count is more than the bytes that are left: count=" + Integer.toUnsignedString(count) + " left="
                            + remaining(),
                    position - 4);
        }
        return count;
    }

    /** Reads SMALL_INTEGER and INTEGER until there is another term or the array is full; returns how many. */
    int integers(long[] to) {
        byte[] from = buffer;
        int last = end;
        int at = position;
        int count = 0;
        while (count < to.length && at < last) {
            int tag = from[at];
            if (tag == Tag.INTEGER && last - at >= INTEGER_BYTES) {
                to[count++] = (int) INTS.get(from, at + 1);
                at += INTEGER_BYTES;
            } else if (tag == Tag.SMALL_INTEGER && last - at >= SMALL_INTEGER_BYTES) {
                to[count++] = from[at + 1] & 0xff;
                at += SMALL_INTEGER_BYTES;
            } else {
                break;
            }
        }
        position = at;
        return count;
    }

    /** Returns whether a list of {@code length} elements may be one of integers, judged by its first two. */
    boolean mayBeIntegers(int length) {
        if (length > remaining() / SMALL_INTEGER_BYTES || !isInteger(position)) {
            return false;
        }
        int first = buffer[position] == Tag.INTEGER ? INTEGER_BYTES : SMALL_INTEGER_BYTES;
        return length == 1 || (first < remaining() && isInteger(position + first));
    }

    private boolean isInteger(int at) {
        return buffer[at] == Tag.INTEGER || buffer[at] == Tag.SMALL_INTEGER;
    }

    /** Reads bytes as integers. */
    void bytes(Term[] to, int from, int length) {
        int at = take(length);
        for (int i = 0; i < length; i++) {
            to[from + i] = Int.of(buffer[at + i] & 0xff);
        }
    }

    private MalformedTermException pastEnd() {
        position--;
        return truncated(1);
    }

    MalformedTermException truncated(int needed) {
        return new MalformedTermException(
                "bytes end within a term: needed=" + needed + " left=" + remaining(), position);
    }

    /** Makes the exception for a term, whose tag was just read, that is of another kind than expected. */
    MalformedTermException unexpected(String expected, int tag) {
        return new MalformedTermException("not " + expected + ": tag=" + tag, position - 1);
    }
}
