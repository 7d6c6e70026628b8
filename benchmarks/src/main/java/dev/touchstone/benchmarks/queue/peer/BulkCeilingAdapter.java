package dev.touchstone.benchmarks.queue.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rate at which the device takes 64 KiB a time: synchronous writes of 128 records into a region that was filled with zeros
 * beforehand, round and round. Measured with one thread.
 *
 * <p>A record that is written asynchronously ends when it is copied, which is up to 127 records before its force: a limit may flatter
 * itself.
 */
public final class BulkCeilingAdapter implements AsyncWrites, BulkWrites {

    private static final int REGION_BYTES = 64 << 20;
    private static final int CHUNK_BYTES = 256 << 10;
    private static final int BUFFER_BYTES = 64 << 10;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private long position;
    private long forces;

    private BulkCeilingAdapter(FileChannel channel) {
        this.channel = channel;
    }

    /** Fills the region, forces it and opens it for synchronous writes. */
    public static BulkCeilingAdapter open(Path folder) throws IOException {
        FileChannel channel = FileChannel.open(
                folder.resolve("ceiling.bulk"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.DSYNC);
        for (int at = 0; at < REGION_BYTES; at += CHUNK_BYTES) {
            Channels.writeFully(channel, ByteBuffer.allocate(CHUNK_BYTES), at);
        }
        return new BulkCeilingAdapter(channel);
    }

    @Override
    public synchronized void write(byte[] record) throws IOException {
        buffer.put(record);
        force();
    }

    @Override
    public synchronized void writeAsync(byte[] record, End end) throws IOException {
        buffer.put(record);
        if (buffer.remaining() < record.length) {
            force();
        }
        end.end(null);
    }

    @Override
    public synchronized void writeAll(List<byte[]> records) throws IOException {
        for (byte[] record : records) {
            if (buffer.remaining() < record.length) {
                force();
            }
            buffer.put(record);
        }
        force();
    }

    @Override
    public byte @Nullable [] read() {
        throw new UnsupportedOperationException("CEILING_DSYNC_64K only writes");
    }

    @Override
    public void scan(Consumer<byte[]> sink) {
        throw new UnsupportedOperationException("CEILING_DSYNC_64K only writes");
    }

    /** Does nothing: the region never grows. */
    @Override
    public void clear() {}

    @Override
    public long remaining() {
        return UNKNOWN;
    }

    @Override
    public synchronized long forces() {
        return forces;
    }

    @Override
    public synchronized void close() throws IOException {
        channel.close();
    }

    private void force() throws IOException {
        buffer.flip();
        int length = buffer.remaining();
        if (position + length > REGION_BYTES) {
            position = 0;
        }
        Channels.writeFully(channel, buffer, position);
        position += length;
        forces++;
        buffer.clear();
    }
}
