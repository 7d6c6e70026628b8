package dev.touchstone.index.server.http;

import io.netty.buffer.ByteBufHolder;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;

/** What a client has sent behind a request that is still being answered. Its room is taken from what all connections share. Not thread-safe. */
final class Pending {
    /** What the head of a request takes, about; many a client sends many small ones at once. */
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

    /** Adds a message, which it releases if there is no room for it; false then. */
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

    /** The message that came first. */
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

    /** Releases all. */
    void clear() {
        messages.forEach(ReferenceCountUtil::release);
        messages.clear();
        shared.give(taken);
        taken = 0;
    }
}
