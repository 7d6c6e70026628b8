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
     */
    /** Frames of one message at most. */
    static final int MAX_PARTS = 1_024;

    private static final int OWN_BYTES = 16 << 10;

    private final AtomicLong all;
    private final OriginDoor.Allowance unfinished;
    private volatile long sinceNanos; // of a message that is larger than OWN_BYTES
    private int parts; // the reading thread's

    /**
     * Creates the frames of a guest: without extensions, which might make much of a few bytes.
     *
     * @param all bytes that unfinished messages of all guests hold; not null
     */
    GuestDraft(AtomicLong all) {
        super(List.of(), List.of(new Protocol("")), OriginDoor.MAX_MESSAGE);
        this.all = all;
        this.unfinished = new OriginDoor.Allowance(all, OWN_BYTES);
    }

    @Override
    public Draft copyInstance() {
        return new GuestDraft(all);
    }

    @Override
    public int checkAlloc(int bytes) throws InvalidDataException {
        int checked = super.checkAlloc(bytes);
        if (unfinished.isOwn()) {
            sinceNanos = System.nanoTime();
        }
        if (!unfinished.add(checked)) {
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
        int bytes = frame.getPayloadData().remaining();
        super.processFrame(socket, frame);
        if (!isOfMessage) {
            boolean unused = unfinished.add(-bytes);
        } else if (frame.isFin()) {
            parts = 0;
            boolean unused = unfinished.hold(0);
        }
    }

    /** Returns whether a large message has been on its way for longer than a time. */
    boolean isSlow(long nowNanos, long patienceNanos) {
        return !unfinished.isOwn() && nowNanos - sinceNanos > patienceNanos;
    }

    /** Gives back what the guest holds; it gets no more. */
    void close() {
        unfinished.close();
    }
}
