package dev.touchstone.benchmarks.queue.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rate at which the device takes one record a time: a positional synchronous write per record into a region that was filled with
 * zeros beforehand, round and round, so that no write ever needs a new block. Filled by synchronous writes of 256 KiB, which gave the
 * fastest region of the ways that were tried. Measured with one thread.
 */
public final class DsyncCeilingAdapter implements QueueUnderTest {

    private static final int REGION_BYTES = 64 << 20;
    private static final int CHUNK_BYTES = 256 << 10;

    private final FileChannel channel;
    private final AtomicLong next = new AtomicLong();
    private final ThreadLocal<ByteBuffer> buffers =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(CHUNK_BYTES));

    private DsyncCeilingAdapter(FileChannel channel) {
        this.channel = channel;
    }

    /** Fills the region, forces it and opens it for synchronous writes. */
    public static QueueUnderTest open(Path folder) throws IOException {
        Path file = folder.resolve("ceiling.dsync");
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.DSYNC);
        for (int position = 0; position < REGION_BYTES; position += CHUNK_BYTES) {
            Channels.writeFully(channel, ByteBuffer.allocate(CHUNK_BYTES), position);
        }
        return new DsyncCeilingAdapter(channel);
    }

    @Override
    public void write(byte[] record) throws IOException {
        ByteBuffer buffer = buffers.get().clear().put(record).flip();
        long slot = next.getAndIncrement() % (REGION_BYTES / record.length);
        Channels.writeFully(channel, buffer, slot * record.length);
    }

    @Override
    public byte @Nullable [] read() {
        throw new UnsupportedOperationException("CEILING_DSYNC only writes");
    }

    @Override
    public void scan(Consumer<byte[]> sink) {
        throw new UnsupportedOperationException("CEILING_DSYNC only writes");
    }

    /** Does nothing: the region never grows. */
    @Override
    public void clear() {}

    @Override
    public long remaining() {
        return UNKNOWN;
    }

    @Override
    public long forces() {
        return next.get();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
