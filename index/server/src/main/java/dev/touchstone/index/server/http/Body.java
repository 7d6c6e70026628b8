package dev.touchstone.index.server.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** The body of a request while it arrives in several parts. Its room is taken from what all connections share. Not thread-safe. */
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
     * Adds a part; false if there is no room for it.
     *
     * @param announced how many bytes the body is said to have, 0 if nothing is said: no more is taken beforehand
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

    /** Gives its room back. */
    void clear() {
        if (bytes.length > 0) {
            shared.give(bytes.length);
            bytes = NONE;
        }
        size = 0;
    }
}
