package dev.touchstone.queue.replicated.storage;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Key of the frames that belong to one run of a log. A frame's check covers its key and its position, so bytes that an earlier use of the
 * file left behind, or that a payload quotes, are never taken for a frame of the run.
 *
 * @param logId random number of the log's folder
 * @param epoch number of the run, which is never used twice in a folder
 */
record FrameKey(long logId, long epoch) {

    /** Returns the CRC-32C of this key, the position, and the {@code bytes} bytes of {@code source} that begin at {@code at}. */
    int check(ByteBuffer source, int at, int bytes, long position) {
        ByteBuffer prefix = ByteBuffer.allocate(3 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        prefix.putLong(logId).putLong(epoch).putLong(position).flip();
        CRC32C crc = new CRC32C();
        crc.update(prefix);
        crc.update(source.slice(at, bytes));
        return (int) crc.getValue();
    }
}
