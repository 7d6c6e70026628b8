package dev.touchstone.builds.output;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A comparison of a target's bytes with those of the log. Used by one thread. */
final class TargetCheck {
    private static final int CHUNK_BYTES = 256 << 10;

    private final ByteBuffer expected = ByteBuffer.allocate(CHUNK_BYTES);
    private final ByteBuffer got = ByteBuffer.allocate(CHUNK_BYTES);

    /** The bytes of a target. */
    interface Target {
        /** Reads bytes at an offset, up to the buffer's limit or the target's end. */
        void read(long offset, ByteBuffer into) throws IOException;
    }

    /**
     * Returns the number of bytes, up to {@code length}, that the target and the log have in common from the beginning on.
     *
     * @throws IOException if one of them cannot be read
     */
    long commonBytes(Target target, Sink.Log log, long length) throws IOException {
        long common = 0;
        while (common < length) {
            int wanted = (int) Math.min(CHUNK_BYTES, length - common);
            fill(log, common, expected.clear().limit(wanted));
            target.read(common, got.clear().limit(wanted));
            int differs = expected.flip().mismatch(got.flip());
            int equal = differs < 0 ? expected.remaining() : differs;
            common += equal;
            if (equal < wanted) {
                return common;
            }
        }
        return common;
    }

    private static void fill(Sink.Log log, long offset, ByteBuffer into) throws IOException {
        int read = 1;
        while (into.hasRemaining() && read > 0) {
            read = log.read(offset + into.position(), into);
        }
    }
}
