package dev.touchstone.benchmarks.queue.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Positional writes that may be short. */
final class Channels {

    private Channels() {}

    /** Writes all that remains of {@code buffer} from {@code position} on. */
    static void writeFully(FileChannel channel, ByteBuffer buffer, long position) throws IOException {
        long at = position;
        while (buffer.hasRemaining()) {
            at += channel.write(buffer, at);
        }
    }
}
