package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Pid;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A message that is too long to be one of many frames in a buffer: it leaves in fragments, or, to a peer that takes none, as a frame of its
 * own buffer. Guarded by the lock of its {@link PendingOutput}.
 */
final class LargeMessage {
    /** The data of each fragment but the last; Erlang's fragments have as much. */
    static final int FRAGMENT_BYTES = 64 << 10;

    private static final int MIN_CAPACITY = 4 << 10;

    private final @Nullable Pid sender;
    private final boolean owed;
    private final byte[] frame;
    private final int end;
    private final long sequence;
    private int position;
    private @Nullable TermWriter behind;

    /**
     * Creates a message that is to be sent.
     *
     * @param sender whose later frames must not overtake this message; null for nobody's
     * @param owed whether it was added without waiting for room
     * @param frame a frame, from its length on
     * @param end the offset behind the frame
     * @param fragmentable whether the peer takes fragments, and the control tuple fits the first of them
     * @param sequence names the message among those whose fragments are under way
     */
    LargeMessage(@Nullable Pid sender, boolean owed, byte[] frame, int end, boolean fragmentable, long sequence) {
        this.sender = sender;
        this.owed = owed;
        this.frame = frame;
        this.end = end;
        this.sequence = sequence;
        this.position = fragmentable ? FrameFormat.TERMS_OFFSET : 0;
    }

    boolean isFragmented() {
        return position >= FrameFormat.TERMS_OFFSET;
    }

    boolean isOf(@Nullable Pid other) {
        return sender != null && sender.equals(other);
    }

    /** Returns the buffer for further frames of the same sender, which follow when this message has left. */
    TermWriter behind() {
        TermWriter after = behind;
        if (after == null) {
            after = new TermWriter(MIN_CAPACITY, Integer.MAX_VALUE - MIN_CAPACITY);
            behind = after;
        }
        return after;
    }

    /** Returns the bytes that were added to this message's connection without waiting for room and have not left. */
    long owedBytes() {
        return (owed ? (long) end - position : 0) + (behind == null ? 0 : behind.position());
    }

    /** Returns the bytes that have not left, those of the sender's further frames included. */
    long bytes() {
        return (long) end - position + (behind == null ? 0 : behind.position());
    }

    /** Returns the whole frame of a message that is not fragmented. */
    ByteBuffer whole() {
        return ByteBuffer.wrap(frame, 0, end);
    }

    /** Writes the next fragment as a frame; returns whether it is the last. */
    boolean writeFragment(TermWriter out) {
        int bytes = Math.min(FRAGMENT_BYTES, end - position);
        long left = ((long) end - position + FRAGMENT_BYTES - 1) / FRAGMENT_BYTES;
        FrameFormat.writeFragment(out, position == FrameFormat.TERMS_OFFSET, sequence, left, frame, position, bytes);
        position += bytes;
        return position == end;
    }

    /** Appends the sender's further frames to {@code out}. */
    void writeBehind(TermWriter out) {
        if (behind != null) {
            out.putBytes(behind.array(), 0, behind.position());
        }
    }
}
