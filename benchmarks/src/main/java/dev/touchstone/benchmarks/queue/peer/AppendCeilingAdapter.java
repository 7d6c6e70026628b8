package dev.touchstone.benchmarks.queue.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rate at which the page cache takes records: they are copied into a direct buffer, and each full buffer is one positional write.
 * Clearing goes back to the start of the file, whose pages are then overwritten. Measured with one thread; others wait for its
 * monitor.
 */
public final class AppendCeilingAdapter implements QueueUnderTest {

    private static final int BUFFER_BYTES = 64 << 10;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private long position;

    private AppendCeilingAdapter(FileChannel channel) {
        this.channel = channel;
    }

    /** Opens an empty file in {@code folder}. */
    public static QueueUnderTest open(Path folder) throws IOException {
        return new AppendCeilingAdapter(FileChannel.open(
                folder.resolve("ceiling.append"), StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    }

    @Override
    public synchronized void write(byte[] record) throws IOException {
        if (buffer.remaining() < record.length) {
            buffer.flip();
            int length = buffer.remaining();
            Channels.writeFully(channel, buffer, position);
            position += length;
            buffer.clear();
        }
        buffer.put(record);
    }

    @Override
    public byte @Nullable [] read() {
        throw new UnsupportedOperationException("CEILING_APPEND only writes");
    }

    @Override
    public void scan(Consumer<byte[]> sink) {
        throw new UnsupportedOperationException("CEILING_APPEND only writes");
    }

    @Override
    public synchronized void clear() {
        buffer.clear();
        position = 0;
    }

    @Override
    public long remaining() {
        return UNKNOWN;
    }

    @Override
    public long forces() {
        return 0;
    }

    @Override
    public synchronized void close() throws IOException {
        channel.close();
    }
}
