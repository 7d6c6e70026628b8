package dev.touchstone.builds.master.rpc;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Limits the HTTP/2 frames (RFC 9113, section 4.1) that a connection sends, and joins small ones. The transport takes memory without end for a header
 * block, answers frames that carry nothing at any rate, and keeps each frame with data in at least 8 KiB of memory until its message is wanted. For one thread.
 */
final class FrameFilter {
    /** The longest header block as it is sent. */
    static final int MAX_HEADER_BLOCK = 16 << 10;

    /** The most frames other than data and its flow control in {@link #PERIOD_NANOS}. */
    static final int MAX_FRAMES = 1_000;

    static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final int PREFACE_BYTES = 24;
    private static final int HEADER_BYTES = 9;
    private static final int MAX_JOINED = 16 << 10; // bytes of data in a frame
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int WINDOW_UPDATE = 8;
    private static final int CONTINUATION = 9;
    private static final int PADDED = 8; // a flag

    private final WaitingMessages waiting;
    private final byte[] header = new byte[HEADER_BYTES]; // of the present frame
    private int have; // of `header`
    private int skip = PREFACE_BYTES; // bytes left of the present frame
    private int block; // bytes of the present header block
    private boolean isPaddingNext; // whether the next byte is the length of the present frame's padding
    private int data; // bytes of the present frame that are data and have not come
    private int calls;
    private int frames; // in the present period
    private long periodNanos;

    /** Creates a filter that tells what is passed on. */
    FrameFilter(WaitingMessages waiting) {
        this.waiting = waiting;
    }

    /**
     * Checks the next bytes of a connection, and joins frames with data of one stream that follow each other there.
     *
     * @param bytes the received bytes from index {@code from} on, which are changed in place
     * @param now the time of {@link System#nanoTime}
     * @return the number of bytes from index {@code from} on that are left; less than 1 only if {@code count} is
     * @throws IOException if the connection has sent what it may not
     */
    int filter(byte[] bytes, int from, int count, long now) throws IOException {
        int end = from + count;
        int at = from;
        int to = from;
        int joint = -1; // index of the frame with data that ends at `to`
        while (at < end) {
            if (skip == 0 && have == 0 && isWholeData(bytes, at, end)) {
                int length = length(bytes, at);
                boolean joins =
                        joint >= 0 && isSameStream(bytes, joint, at) && length(bytes, joint) + length <= MAX_JOINED;
                int taken = joins ? at + HEADER_BYTES : at;
                int moved = at + HEADER_BYTES + length - taken;
                int stream = stream(bytes, at);
                if (joins) {
                    int before = length(bytes, joint);
                    setLength(bytes, joint, before + length);
                    waiting.joined(stream, before, before + length);
                } else {
                    joint = to;
                    waiting.frame(stream, length);
                }
                waiting.data(stream, bytes, at + HEADER_BYTES, length);
                to = move(bytes, taken, moved, to);
                at = taken + moved;
                continue;
            }
            joint = -1;
            int step = skip > 0 ? Math.min(skip, end - at) : 1;
            if (skip > 0) {
                passData(bytes, at, step);
                skip -= step;
            } else {
                header[have++] = bytes[at];
            }
            to = move(bytes, at, step, to);
            at += step;
            if (have == HEADER_BYTES) {
                have = 0;
                begin(now);
            }
        }
        return to - from;
    }

    /** Returns how many header blocks have begun, each of which is a call or its end. */
    int calls() {
        return calls;
    }

    /** Tells what a part of a frame has of data, without its padding. */
    private void passData(byte[] bytes, int at, int count) {
        int first = at;
        if (isPaddingNext) {
            isPaddingNext = false;
            data = Math.max(0, length(header, 0) - 1 - (bytes[first++] & 0xff));
        }
        int part = Math.min(data, at + count - first);
        if (part > 0) {
            data -= part;
            waiting.data(stream(header, 0), bytes, first, part);
        }
    }

    private static int move(byte[] bytes, int from, int count, int to) {
        if (from != to) {
            System.arraycopy(bytes, from, bytes, to, count);
        }
        return to + count;
    }

    /** Returns whether a frame that is there from its first to its last byte carries data and says nothing else. */
    private static boolean isWholeData(byte[] bytes, int at, int end) {
        if (end - at < HEADER_BYTES || bytes[at + 3] != DATA || bytes[at + 4] != 0) {
            return false;
        }
        int length = length(bytes, at);
        return length > 0 && length <= end - at - HEADER_BYTES;
    }

    private static boolean isSameStream(byte[] bytes, int one, int other) {
        for (int i = 5; i < HEADER_BYTES; i++) {
            if (bytes[one + i] != bytes[other + i]) {
                return false;
            }
        }
        return true;
    }

    private static int stream(byte[] bytes, int at) {
        return (bytes[at + 5] & 0x7f) << 24
                | (bytes[at + 6] & 0xff) << 16
                | (bytes[at + 7] & 0xff) << 8
                | (bytes[at + 8] & 0xff);
    }

    private static int length(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 16 | (bytes[at + 1] & 0xff) << 8 | (bytes[at + 2] & 0xff);
    }

    private static void setLength(byte[] bytes, int at, int length) {
        bytes[at] = (byte) (length >> 16);
        bytes[at + 1] = (byte) (length >> 8);
        bytes[at + 2] = (byte) length;
    }

    private void begin(long now) throws IOException {
        int length = length(header, 0);
        int type = header[3];
        skip = length;
        if (type == HEADERS || type == CONTINUATION) {
            block = (type == HEADERS ? 0 : block) + length;
            if (block > MAX_HEADER_BLOCK) {
                throw new IOException("header block is too long: most bytes=" + MAX_HEADER_BLOCK);
            }
        }
        isPaddingNext = type == DATA && length > 0 && (header[4] & PADDED) != 0;
        data = type == DATA && !isPaddingNext ? length : 0;
        if (type == HEADERS) {
            calls++;
        }
        if (type == RESET) {
            waiting.reset(stream(header, 0));
        }
        if (type == DATA && length > 0) {
            waiting.frame(stream(header, 0), length);
            return;
        }
        if (type == WINDOW_UPDATE) {
            return;
        }
        if (frames == 0 || now - periodNanos > PERIOD_NANOS) {
            periodNanos = now;
            frames = 0;
        }
        if (++frames > MAX_FRAMES) {
            throw new IOException("too many frames without data: most in 10 s=" + MAX_FRAMES);
        }
    }
}
