package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.identity.NodeName;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The bytes of a connection that have come, cut into frames, in turns of bounded bytes and time. */
final class FrameInput {
    /*
     * Who calls:      the leader only.
     * Invariants:     `input` from `start` to `end` are bytes that came and were not handled; `space` is the room behind them. A turn reads
     *                 TURN_BYTES and one buffer at most, and looks at the clock after every 16th frame and each large one.
     * Failure:        an exception of a frame's receiver ends the connection, whose owner catches it.
     */
    private static final int BUFFER_BYTES = 64 << 10;
    private static final int RETAINED_BYTES = 32 << 10;
    private static final int TURN_BYTES = 64 << 10;
    private static final long TURN_NANOS = 100_000;
    private static final int FRAMES_PER_LOOK = 16; // at the clock
    private static final int LARGE_FRAME = 4 << 10; // its length alone is a reason to look at the clock

    private final Carrier carrier;
    private final NodeName peer;
    private final int maxFrameBytes;
    private final Receiver receiver;
    private byte[] input = new byte[BUFFER_BYTES];
    private ByteBuffer space = ByteBuffer.wrap(input);
    private int start;
    private int end;
    private long skip; // bytes still to come of a frame that is too long
    private boolean unfinished; // true if the last turn ended before all was read
    private boolean framesHeld; // true if the input has frames that were not handled yet
    private int frameBytes; // of the frame that is handled
    private int turnFrames;
    private long turnStart; // when the clock was first read in this turn; 0 before

    /** The owner of the bytes. */
    interface Receiver {
        /** Counts bytes that came. */
        void came(int bytes);

        /** Takes a frame's body; an empty one is a tick. Returns whether to go on. */
        boolean frame(byte[] buffer, int offset, int length, boolean retained);

        /** Takes the beginning of a frame that is too long, of {@code head} bytes, and is skipped. */
        void tooLong(byte[] buffer, int offset, int head, long length);
    }

    FrameInput(Carrier carrier, NodeName peer, int maxFrameBytes, Receiver receiver) {
        this.carrier = carrier;
        this.peer = peer;
        this.maxFrameBytes = maxFrameBytes;
        this.receiver = receiver;
    }

    /** Returns whether the last turn ended before all was read. */
    boolean isUnfinished() {
        return unfinished;
    }

    /** Returns the length of the frame that was handled last. */
    int frameBytes() {
        return frameBytes;
    }

    /**
     * Reads and handles the bytes that are there, within the budget of one turn.
     *
     * @return the number of bytes read
     * @throws EOFException if the peer has closed the connection
     */
    int takeTurn() throws IOException {
        turnFrames = 0;
        turnStart = 0;
        boolean more = !framesHeld || handle();
        unfinished = !more;
        int bytes = 0;
        while (more) {
            int count = carrier.read(space);
            if (count < 0) {
                throw new EOFException("connection closed by its peer: peer=" + peer);
            }
            if (count == 0) {
                break;
            }
            receiver.came(count);
            end += count;
            bytes += count;
            boolean filled = !space.hasRemaining();
            boolean goesOn = handle() && bytes < TURN_BYTES;
            more = filled || carrier.hasMore();
            if (!goesOn) {
                unfinished = more || framesHeld;
                more = false;
            }
        }
        return bytes;
    }

    /** Passes the bytes that have come of a frame that is too long; they are not kept. */
    private void skip() {
        int bytes = (int) Math.min(skip, end - start);
        start += bytes;
        skip -= bytes;
    }

    /** Refuses the frame at the start once its header is there; returns the bytes that are needed for that. */
    private int refuseFrame(long length) {
        int body = start + Integer.BYTES;
        if (end - body < FrameFormat.KIND_BYTES) {
            return Integer.BYTES + FrameFormat.KIND_BYTES;
        }
        int head = (int) Math.min(length, FrameFormat.headBytes(input, body));
        if (end - body < head) {
            return Integer.BYTES + head;
        }
        receiver.tooLong(input, body, head, length);
        start = body + head;
        skip = length - head;
        skip();
        return Integer.BYTES;
    }

    /** Handles the frames that have come; returns whether all were, and false where the turn is over or a mailbox is full. */
    private boolean handle() {
        int needed = Integer.BYTES;
        framesHeld = false;
        if (skip > 0) {
            skip();
        }
        while (end - start >= Integer.BYTES) {
            int length = ByteBuffer.wrap(input, start, Integer.BYTES).getInt();
            if (framesHeld && (length < 0 || length > maxFrameBytes)) {
                return false;
            }
            if (length < 0 || length > maxFrameBytes) {
                needed = refuseFrame(Integer.toUnsignedLong(length));
                if (end - start < needed) {
                    break;
                }
                continue;
            }
            needed = Integer.BYTES + length;
            if (end - start < needed) {
                break;
            }
            if (framesHeld) {
                return false;
            }
            int body = start + Integer.BYTES;
            start += needed;
            needed = Integer.BYTES;
            boolean retained = length >= RETAINED_BYTES;
            frameBytes = length;
            boolean goesOn = receiver.frame(input, body, length, retained);
            if (retained) {
                move(BUFFER_BYTES);
            }
            framesHeld = !goesOn || isTurnOver(length);
        }
        boolean allHandled = !framesHeld;
        framesHeld = false; // at most a part of one, which waits for its rest
        makeSpace(needed);
        return allHandled;
    }

    private boolean isTurnOver(int length) {
        if (++turnFrames % FRAMES_PER_LOOK != 0 && length < LARGE_FRAME) {
            return false;
        }
        long now = System.nanoTime();
        if (turnStart == 0) {
            turnStart = now;
        }
        return now - turnStart > TURN_NANOS;
    }

    /** Makes room for input, only as the bytes come, so that a length alone allocates nothing. */
    private void makeSpace(int needed) {
        int held = end - start;
        if (held == 0 && input.length == BUFFER_BYTES) {
            start = 0;
            end = 0;
            space.clear();
        } else if (held == 0) {
            move(BUFFER_BYTES);
        } else if (end == input.length || (start > 0 && start + needed > input.length)) {
            int doubled = held > input.length / 2 ? 2 * input.length : input.length;
            move(Math.max(BUFFER_BYTES, Math.min(doubled, Math.max(needed, BUFFER_BYTES))));
        } else {
            space.limit(input.length).position(end);
        }
        if (space.remaining() > TURN_BYTES) {
            space.limit(space.position() + TURN_BYTES);
        }
    }

    private void move(int capacity) {
        int held = end - start;
        byte[] target = new byte[Math.max(capacity, held + Integer.BYTES)];
        System.arraycopy(input, start, target, 0, held);
        input = target;
        space = ByteBuffer.wrap(target);
        space.position(held);
        start = 0;
        end = held;
    }
}
