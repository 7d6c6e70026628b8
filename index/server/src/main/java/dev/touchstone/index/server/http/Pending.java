package dev.touchstone.index.server.http;

import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The messages of a client that wait for the answers to earlier ones, within the memory of all connections. For one connection, on its event loop. */
final class Pending {
    private final Shared shared;
    private final Deque<Object> messages = new ArrayDeque<>(0);

    /** Creates an empty list that takes its memory from a server's. */
    Pending(Shared shared) {
        this.shared = shared;
    }

    boolean isEmpty() {
        return messages.isEmpty();
    }

    /** Adds a message behind the others; releases it and returns false if there is no memory for it. */
    boolean add(Object message) {
        if (!shared.take(Shared.bytes(message))) {
            ReferenceCountUtil.release(message);
            return false;
        }
        messages.add(message);
        return true;
    }

    /** Returns the oldest message and removes it; null if there is none. */
    @Nullable
    Object poll() {
        Object message = messages.poll();
        if (message != null) {
            shared.give(Shared.bytes(message));
        }
        return message;
    }

    /** Releases all messages. */
    void clear() {
        for (Object message = poll(); message != null; message = poll()) {
            ReferenceCountUtil.release(message);
        }
    }
}
