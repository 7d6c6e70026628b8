package dev.touchstone.builds.wire;

import io.grpc.Status;
import io.grpc.stub.CallStreamObserver;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The far end of a stream: takes what is sent there, unless too much is on its way already. Thread-safe.
 *
 * @param <M> what is sent
 */
public final class Outlet<M> {
    /*
     * Who calls:  any thread sends and ends; the transport's threads `ended`, with a lock of the connection.
     * Invariants: the stream is ended here once at most; what is sent behind that is dropped.
     * Ordering:   sending takes the lock and then the transport's, so `ended` takes none: a message that is sent meanwhile is the transport's to
     *             drop.
     */
    private final CallStreamObserver<M> call;

    private volatile boolean isBehind;
    private volatile boolean isOver; // not guarded: the transport calls `ended` with its own lock, which sending takes

    /** Creates the sending half of a call. */
    public Outlet(CallStreamObserver<M> call) {
        this.call = call;
    }

    /**
     * Sends a message, or drops it where the stream has ended, which the receiving half says.
     *
     * @return false if the stream takes no more now: the message is to be sent later
     */
    public synchronized boolean trySend(M message) {
        if (isOver) {
            return true;
        }
        if (!call.isReady()) {
            return false;
        }
        call.onNext(message);
        return true;
    }

    /** Sends messages in their order, and removes those that were sent; returns false if the stream takes no more now. */
    public boolean trySendAll(ArrayDeque<M> messages) {
        for (@Nullable M next = messages.peek(); next != null; next = messages.peek()) {
            if (!trySend(next)) {
                return false;
            }
            messages.poll();
        }
        return true;
    }

    /** Sends a message whether much is on its way or not, or drops it where the stream has ended. */
    public synchronized void send(M message) {
        if (!isOver) {
            call.onNext(message);
        }
    }

    /** Lets the other end send so many more messages. */
    public void admit(int messages) {
        call.request(messages);
    }

    /** Ends the stream and says why, unless it has ended. */
    public synchronized void end(Status why) {
        if (!isOver) {
            isOver = true;
            call.onError(why.asRuntimeException());
        }
    }

    /** Ends the stream as agreed, unless it has ended. */
    public synchronized void end() {
        if (!isOver) {
            isOver = true;
            call.onCompleted();
        }
    }

    /** Returns whether the stream takes another message now, as {@link #trySend} does. */
    public boolean hasRoom() {
        return call.isReady();
    }

    /** Notes whether more is to be sent than the stream takes now. */
    public void setBehind(boolean isBehindNow) {
        isBehind = isBehindNow;
    }

    /** Returns whether more is to be sent than the stream takes now, so that the other end had better ask for nothing. */
    public boolean isBehind() {
        return isBehind;
    }

    /** Returns whether the stream has ended. */
    public boolean isOver() {
        return isOver;
    }

    /** Notes that the other end, or the connection, has ended the stream. */
    public void ended() {
        isOver = true;
    }
}
