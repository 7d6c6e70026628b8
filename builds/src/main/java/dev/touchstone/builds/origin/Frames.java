package dev.touchstone.builds.origin;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts a message between its bytes and its frames: the number of frames and, before each, its length, all as 4 bytes with the highest first. Has no
 * state.
 */
final class Frames {
    /** Frames that a message has at most. */
    static final int MAX_FRAMES = 8;

    private Frames() {}

    /**
     * Splits a message. Allocates nothing but views of it.
     *
     * @param message all bytes of the message, of which the position is not changed; not null
     * @return 1 to {@link #MAX_FRAMES} read-only views
     * @throws MalformedMessageException if lengths and bytes do not agree, or there are more frames
     */
    static List<ByteBuffer> split(ByteBuffer message) throws MalformedMessageException {
        ByteBuffer in = message.asReadOnlyBuffer();
        int count = length(in, "count of frames");
        if (count < 1 || count > MAX_FRAMES) {
            throw new MalformedMessageException("count of frames is not 1 to " + MAX_FRAMES + ": count=" + count);
        }
        List<ByteBuffer> frames = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int bytes = length(in, "length of a frame");
            if (bytes < 0 || bytes > in.remaining()) {
                throw new MalformedMessageException(
                        "frame is longer than the message: frame=" + i + " left=" + in.remaining());
            }
            frames.add(in.slice(in.position(), bytes));
            in.position(in.position() + bytes);
        }
        if (in.hasRemaining()) {
            throw new MalformedMessageException("bytes behind the last frame: bytes=" + in.remaining());
        }
        return frames;
    }

    private static int length(ByteBuffer in, String what) throws MalformedMessageException {
        if (in.remaining() < Integer.BYTES) {
            throw new MalformedMessageException("message ends inside the " + what);
        }
        return in.getInt();
    }

    /**
     * Joins frames to a message.
     *
     * @param frames of which positions are not changed; not null
     * @return a buffer whose remaining bytes are the message
     */
    static ByteBuffer join(ByteBuffer... frames) {
        int bytes = Integer.BYTES;
        for (ByteBuffer frame : frames) {
            bytes += Integer.BYTES + frame.remaining();
        }
        ByteBuffer message = ByteBuffer.allocate(bytes).putInt(frames.length);
        for (ByteBuffer frame : frames) {
            message.putInt(frame.remaining()).put(frame.duplicate());
        }
        return message.flip();
    }
}
