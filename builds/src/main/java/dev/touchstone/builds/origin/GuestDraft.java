package dev.touchstone.builds.origin;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.java_websocket.WebSocketImpl;
import org.java_websocket.drafts.Draft;
import org.java_websocket.drafts.Draft_6455;
import org.java_websocket.exceptions.InvalidDataException;
import org.java_websocket.framing.CloseFrame;
import org.java_websocket.framing.Framedata;
import org.java_websocket.protocols.Protocol;

/**
 * The frames of one guest. The library takes memory for a message when its length is announced, and for each part of it, however small: this bounds the parts
 * of a message, and what the unfinished messages of all guests hold. Thread-safe.
 */
final class GuestDraft extends Draft_6455 {
    /*
     * Who calls:   one thread of the library at a time, with frames; the gateway's clock and whoever closes the connection, with the others.
     * Invariants:  `all` has what `held` of each guest that is not closed is above FREE_BYTES.
     */
    /** Frames of one message at most. */
    static final int MAX_PARTS = 1_024;

    /** Bytes that unfinished messages of all guests may hold together, beside {@link #FREE_BYTES} of each. */
    static final long MAX_BYTES = Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 8);

    private static final int FREE_BYTES = 16 << 10;

    private final AtomicLong all;
    private long held; // guarded by this, as the next
    private long sinceNanos;
    private boolean isClosed;
    private int parts; // the reading thread's

    /**
     * Creates the frames of a guest: without extensions, which might make much of a few bytes.
     *
     * @param all bytes that unfinished messages of all guests hold; not null
     */
    GuestDraft(AtomicLong all) {
        super(List.of(), List.of(new Protocol("")), OriginDoor.MAX_MESSAGE);
        this.all = all;
    }

    @Override
    public Draft copyInstance() {
        return new GuestDraft(all);
    }

    @Override
    public int checkAlloc(int bytes) throws InvalidDataException {
        int checked = super.checkAlloc(bytes);
        if (!hold(checked)) {
            throw new InvalidDataException(CloseFrame.TRY_AGAIN_LATER, "too much is sent at once");
        }
        return checked;
    }

    @Override
    public void processFrame(WebSocketImpl socket, Framedata frame) throws InvalidDataException {
        boolean isOfMessage = switch (frame.getOpcode()) {
            case TEXT, BINARY, CONTINUOUS -> true;
            default -> false;
        };
        if (isOfMessage && ++parts > MAX_PARTS) {
            throw new InvalidDataException(CloseFrame.TOOBIG, "message has too many parts: most=" + MAX_PARTS);
        }
        super.processFrame(socket, frame);
        if (isOfMessage && frame.isFin()) {
            parts = 0;
            release();
        }
    }

    private synchronized boolean hold(int bytes) {
        if (isClosed) {
            return false;
        }
        long before = Math.max(FREE_BYTES, held);
        held += bytes;
        long more = Math.max(FREE_BYTES, held) - before;
        if (before == FREE_BYTES && more > 0) {
            sinceNanos = System.nanoTime();
        }
        return more == 0 || all.addAndGet(more) <= MAX_BYTES;
    }

    private synchronized void release() {
        if (!isClosed) {
            all.addAndGet(FREE_BYTES - Math.max(FREE_BYTES, held));
            held = 0;
        }
    }

    /** Returns whether a large message has been on its way for longer than a time. */
    synchronized boolean isSlow(long nowNanos, long patienceNanos) {
        return held > FREE_BYTES && nowNanos - sinceNanos > patienceNanos;
    }

    /** Gives back what the guest holds; it gets no more. */
    synchronized void close() {
        release();
        isClosed = true;
    }
}
