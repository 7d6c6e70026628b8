package dev.touchstone.index.loader;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A reader that passes on CSV text record by record, and only records that a parser can read. It drops the first line of any other record, up to its
 * line end, and takes what follows as the next record. So a misplaced quote costs one line and not the rest of the file. Not thread-safe.
 */
final class RecordGuard extends Reader {
    /*
     * Invariants: 0 <= from <= verified <= at <= limit <= buffer.length
     *             buffer[from, verified)  complete good records, or line ends, that are to be passed on
     *             buffer[verified, at)    the part of the next record that was scanned; state is the state of the scan
     */
    private enum State {
        FIELD_START,
        PLAIN,
        QUOTED,
        QUOTE_IN_QUOTED
    }

    private static final int FIRST_CHARS = 1 << 16;

    private final Reader in;
    private final int maxChars;
    private final long maxErrors;
    private final Deque<RowException> errors = new ArrayDeque<>();
    private char[] buffer;
    private int from;
    private int verified;
    private int at;
    private int limit;
    private State state = State.FIELD_START;
    private boolean isDamaged; // whether the next record has bytes that are not UTF-8
    private boolean isSkipping; // whether the rest of a dropped line is skipped
    private boolean isAtStart = true;
    private boolean isOver;
    private boolean endedWithReturn; // whether the last record did, so that a line feed still belongs to it
    private long line = 1; // number of the line at which the next record begins
    private int lines; // number of line ends within the next record

    RecordGuard(Reader in, LoadOptions options) {
        this.in = in;
        maxChars = options.maxRowChars();
        maxErrors = options.maxErrors();
        buffer = new char[Math.min(FIRST_CHARS, maxChars + 2)];
    }

    /** Removes and returns the first bad record, if it begins before a line; null if there is none. */
    @Nullable
    RowException takeError(long before) {
        RowException first = errors.peek();
        return first != null && first.error(0).line() < before ? errors.poll() : null;
    }

    @Override
    public int read(char[] target, int offset, int length) throws IOException {
        while (from == verified) {
            if (errors.size() > maxErrors || !advance()) { // so many errors end the load: what follows plays no role
                return -1;
            }
        }
        int count = Math.min(length, verified - from);
        System.arraycopy(buffer, from, target, offset, count);
        from += count;
        return count;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** Scans or reads more text; returns false at the end. */
    private boolean advance() throws IOException {
        scan();
        if (verified > from) {
            return true;
        }
        if (isOver) {
            return finish();
        }
        fill();
        return true;
    }

    private boolean finish() {
        if (verified == limit) {
            return false;
        }
        if (state == State.QUOTED) {
            drop("a quote that is not closed");
        } else if (isDamaged) {
            drop(Utf8.REASON);
        } else {
            verified = limit; // a last line without an end
        }
        return true;
    }

    private void fill() throws IOException {
        if (from > 0) {
            System.arraycopy(buffer, from, buffer, 0, limit - from);
            verified -= from;
            at -= from;
            limit -= from;
            from = 0;
        }
        if (limit == buffer.length) {
            if (limit - verified > maxChars) {
                drop("a row longer than " + maxChars + " characters");
                return;
            }
            buffer = Arrays.copyOf(buffer, (int) Math.min(buffer.length * 2L, maxChars + 2L));
        }
        int count = in.read(buffer, limit, buffer.length - limit);
        if (count < 0) {
            isOver = true;
            return;
        }
        limit += count;
        if (isAtStart && limit > 0) {
            isAtStart = false;
            if (buffer[0] == Utf8.BYTE_ORDER_MARK) {
                from = 1;
                verified = 1;
                at = 1;
            }
        }
    }

    private void scan() {
        if (isSkipping && !skip()) {
            return;
        }
        while (at < limit) {
            if (state == State.PLAIN) {
                at = endOfPlain();
                if (at == limit) {
                    return;
                }
            }
            char c = buffer[at];
            if (state == State.QUOTED) {
                quoted(c);
                at++;
            } else if (c == '\n' || c == '\r') {
                at++;
                end(c);
            } else if (state == State.QUOTE_IN_QUOTED && c != ',' && c != '"') {
                drop("characters behind a closing quote");
                return;
            } else {
                state = after(c);
                isDamaged |= c == Utf8.DAMAGED;
                at++;
            }
        }
    }

    /** Returns the index of the next character that ends an unquoted field or stands for damaged bytes, or the limit. */
    private int endOfPlain() {
        char[] in = buffer;
        int end = limit;
        int i = at;
        while (i < end && in[i] != ',' && in[i] != '\n' && in[i] != '\r' && in[i] != Utf8.DAMAGED) {
            i++;
        }
        return i;
    }

    private State after(char c) {
        if (c == ',') {
            return State.FIELD_START;
        }
        return c == '"' && state != State.PLAIN ? State.QUOTED : State.PLAIN;
    }

    private void quoted(char c) {
        if (c == '"') {
            state = State.QUOTE_IN_QUOTED;
        } else if (c == '\r' || (c == '\n' && buffer[at - 1] != '\r')) {
            lines++;
        }
        isDamaged |= c == Utf8.DAMAGED;
    }

    /** Ends the record before {@code at}, which closes with the given line end. */
    private void end(char c) {
        if (isDamaged) {
            at--; // the line end is scanned again
            drop(Utf8.REASON);
            return;
        }
        boolean isSecondHalf = c == '\n' && endedWithReturn && at - verified == 1;
        line += isSecondHalf ? 0 : lines + 1;
        lines = 0;
        endedWithReturn = c == '\r';
        verified = at;
        state = State.FIELD_START;
    }

    /** Drops the line at which the next record begins, but not its line end. */
    private void drop(String reason) {
        int end = verified;
        while (end < limit && buffer[end] != '\n' && buffer[end] != '\r') {
            end++;
        }
        int shown = Math.min(end, verified + 100);
        errors.add(new RowException(line, "", new String(buffer, verified, shown - verified), reason, null));
        isSkipping = end == limit && !isOver;
        System.arraycopy(buffer, end, buffer, verified, limit - end);
        limit -= end - verified;
        at = verified;
        state = State.FIELD_START;
        isDamaged = false;
        endedWithReturn = false;
        lines = 0;
    }

    /** Drops the part of a line that is in the buffer; returns whether its line end is there. */
    private boolean skip() {
        int end = verified;
        while (end < limit && buffer[end] != '\n' && buffer[end] != '\r') {
            end++;
        }
        isSkipping = end == limit;
        System.arraycopy(buffer, end, buffer, verified, limit - end);
        limit -= end - verified;
        at = verified;
        return !isSkipping;
    }
}
