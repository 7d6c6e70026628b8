package dev.touchstone.index.server.http;

import dev.touchstone.index.server.api.MemoryBudget;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** The body of a request while it arrives in several parts, in memory that is taken from a shared budget. For one connection, on its event loop. */
final class RequestBody {
    private static final int FIRST_BYTES = 4 << 10;
    private static final byte[] NONE = {};

    private final MemoryBudget room;
    private byte[] bytes = NONE;
    private int size;
    private int announced;

    RequestBody(MemoryBudget room) {
        this.room = room;
    }

    /**
     * Notes the length that a request announces for its body.
     *
     * @param length length in bytes, of which no more may come; 0 if it is not known
     */
    void announce(int length) {
        announced = length;
    }

    /** Adds bytes; returns false if there is not enough memory. */
    boolean add(ByteBuf part) {
        int count = part.readableBytes();
        if (size + count > bytes.length) {
            int ahead = announced == 0 ? 2 * size : Math.min(2 * size, announced);
            int enlarged = Math.max(size + count, Math.max(ahead, FIRST_BYTES));
            if (!room.take(enlarged - bytes.length)) {
                return false;
            }
            bytes = Arrays.copyOf(bytes, enlarged);
        }
        part.getBytes(part.readerIndex(), bytes, size, count);
        size += count;
        return true;
    }

    /** Counts bytes that are not kept, because the request is refused. */
    void skip(int count) {
        size += count;
    }

    /** Returns the number of bytes that have arrived. */
    int size() {
        return size;
    }

    /** Returns the buffer, which holds the bytes from index 0 to before {@link #size}. */
    byte[] bytes() {
        return bytes;
    }

    /** Forgets all bytes, and gives their memory back. */
    void clear() {
        if (bytes.length > 0) {
            room.give(bytes.length);
            bytes = NONE;
        }
        size = 0;
    }
}
