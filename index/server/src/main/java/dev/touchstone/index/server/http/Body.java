package dev.touchstone.index.server.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** The body of a request that arrives in several parts. Its memory is taken from the budget of all connections. Not thread-safe. */
final class Body {
    private static final int FIRST_BYTES = 4 << 10;
    private static final byte[] NONE = {};

    private final Shared shared;
    private byte[] bytes = NONE;
    private int size;

    Body(Shared shared) {
        this.shared = shared;
    }

    int size() {
        return size;
    }

    byte[] bytes() {
        return bytes;
    }

    /**
     * Adds a part; returns false if there is not enough memory.
     *
     * @param announced length of the body that the request announced, in bytes, or 0; no more memory is taken in advance
     */
    boolean add(ByteBuf part, int announced) {
        int count = part.readableBytes();
        if (size + count > bytes.length) {
            int ahead = announced == 0 ? 2 * size : Math.min(2 * size, announced);
            int enlarged = Math.max(size + count, Math.max(ahead, FIRST_BYTES));
            if (!shared.take(enlarged - bytes.length)) {
                return false;
            }
            bytes = Arrays.copyOf(bytes, enlarged);
        }
        part.getBytes(part.readerIndex(), bytes, size, count);
        size += count;
        return true;
    }

    /** Empties the body, and gives its memory back. */
    void clear() {
        if (bytes.length > 0) {
            shared.give(bytes.length);
            bytes = NONE;
        }
        size = 0;
    }
}
