package dev.touchstone.index.loader;

import java.io.Closeable;
import java.io.IOException;
import java.io.Reader;
import java.util.Arrays;

/** A reader of lines of text, one at a time, whose length is limited. Not thread-safe. */
final class LineReader implements Closeable {
    private static final int FIRST_CHARS = 1 << 16;

    private final Reader in;
    private final int maxChars;
    private char[] buffer;
    private int next; // index at which the text behind the current line begins
    private int limit;
    private long line;
    private int from;
    private int to;
    private boolean isTooLong;

    LineReader(Reader in, int maxChars) {
        this.in = in;
        this.maxChars = maxChars;
        buffer = new char[Math.min(FIRST_CHARS, maxChars + 2)];
    }

    /** Goes to the next line; returns false at the end. */
    boolean next() throws IOException {
        isTooLong = false;
        line++;
        int scan = next;
        while (true) {
            for (; scan < limit; scan++) {
                if (buffer[scan] == '\n') {
                    return found(scan, scan + 1);
                }
            }
            if (limit - next > maxChars) {
                isTooLong = true;
                next = limit; // the rest of the line is skipped
            }
            int moved = next;
            int count = fill();
            scan -= moved - next;
            if (count < 0) {
                return (isTooLong || next < limit) && found(limit, limit);
            }
        }
    }

    private boolean found(int end, int nextFrom) {
        from = next;
        to = end > from && buffer[end - 1] == '\r' ? end - 1 : end;
        if (line == 1 && from < to && buffer[from] == Utf8.BYTE_ORDER_MARK) {
            from++;
        }
        isTooLong |= to - from > maxChars;
        next = nextFrom;
        return true;
    }

    private int fill() throws IOException {
        if (next > 0) {
            System.arraycopy(buffer, next, buffer, 0, limit - next);
            limit -= next;
            next = 0;
        }
        if (limit == buffer.length) {
            buffer = Arrays.copyOf(buffer, (int) Math.min(buffer.length * 2L, maxChars + 2L));
        }
        int count = in.read(buffer, limit, buffer.length - limit);
        limit += Math.max(count, 0);
        return count;
    }

    /** Returns the number of the current line, from 1. */
    long line() {
        return line;
    }

    /** Returns whether the line is longer than the limit. Only a part of such a line is in the buffer. */
    boolean isTooLong() {
        return isTooLong;
    }

    /** Returns the buffer, which holds the line from {@link #from} to before {@link #to}. */
    char[] chars() {
        return buffer;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
