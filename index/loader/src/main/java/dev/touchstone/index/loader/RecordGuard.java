package dev.touchstone.index.loader;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Passes on CSV text record by record, and only records that a parser can read: of any other, the first line is left out, up to
 * its end of line, and the next one begins behind it. So one wrong quote costs a line and not the rest of the file. Not thread-safe.
 */
final class RecordGuard extends Reader {
    /*
     * Invariants: 0 <= from <= verified <= at <= limit <= buffer.length
     *             buffer[from, verified)  whole good records, or ends of lines, that are to be passed on
     *             buffer[verified, at)    what has been looked at of the next record; state is the place within it
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
    private final Deque<RowException> errors = new ArrayDeque<>();
    private char[] buffer;
    private int from;
    private int verified;
    private int at;
    private int limit;
    private State state = State.FIELD_START;
    private boolean isDamaged; // the next record has bytes that are no UTF-8
    private boolean isSkipping; // the rest of a line that was too long
    private boolean isAtStart = true;
    private boolean isOver;
    private boolean endedWithReturn; // the record before; a line feed then belongs to it
    private long line = 1; // where the next record begins
    private int lines; // ends of lines within it

    RecordGuard(Reader in, int maxChars) {
        this.in = in;
        this.maxChars = maxChars;
        buffer = new char[Math.min(FIRST_CHARS, maxChars + 2)];
    }

    /** The first of the bad records that nobody has taken, if it stands before a line. */
    @Nullable
    RowException takeError(long before) {
        RowException first = errors.peek();
        return first != null && first.error(0).line() < before ? errors.poll() : null;
    }

    @Override
    public int read(char[] target, int offset, int length) throws IOException {
        while (from == verified) {
            if (!advance()) {
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

    /** Looks at more; false at the end. */
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

    /** The next character that ends a plain field, or says that it is damaged: most characters are none. */
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

    /** A record ends before {@code at}. */
    private void end(char c) {
        if (isDamaged) {
            at--; // the end of the line is seen again
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

    /** Leaves out the line in which the next record begins, but not its end. */
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

    /** Leaves out what is there of the rest of a line; true if its end is there. */
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
