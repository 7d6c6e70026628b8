package dev.touchstone.index.server.http;

import io.netty.buffer.ByteBufHolder;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Messages that a client has sent behind a request that is still being answered. Their memory is taken from the budget of all connections. Not
 * thread-safe.
 */
final class Pending {
    /** Approximate size of the head of a request in bytes. Clients may send many small requests at once. */
    private static final int MESSAGE_BYTES = 1 << 10;

    private final Shared shared;
    private final Deque<Object> messages = new ArrayDeque<>(0);
    private int taken;

    Pending(Shared shared) {
        this.shared = shared;
    }

    boolean isEmpty() {
        return messages.isEmpty();
    }

    /** Adds a message; returns false, and releases the message, if there is not enough memory. */
    boolean add(Object message) {
        int bytes = bytes(message);
        if (!shared.take(bytes)) {
            ReferenceCountUtil.release(message);
            return false;
        }
        taken += bytes;
        messages.add(message);
        return true;
    }

    /** Removes and returns the message that arrived first. */
    Object remove() {
        Object message = messages.remove();
        int bytes = bytes(message);
        taken -= bytes;
        shared.give(bytes);
        return message;
    }

    private static int bytes(Object message) {
        return MESSAGE_BYTES
                + (message instanceof ByteBufHolder holder ? holder.content().readableBytes() : 0);
    }

    /** Releases all messages. */
    void clear() {
        messages.forEach(ReferenceCountUtil::release);
        messages.clear();
        shared.give(taken);
        taken = 0;
    }
}
