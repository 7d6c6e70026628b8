package dev.touchstone.benchmarks.queue.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The rate at which records come from a warm page cache: the file is mapped once, and each record is copied to an array and checked
 * against its CRC32C.
 *
 * <pre>
 *   0        4        8               16
 *   | length | crc32c | zeros         | payload ...
 * </pre>
 */
public final class ScanCeilingAdapter implements QueueUnderTest {

    private static final int HEADER_BYTES = 16;
    private static final int CRC_OFFSET = 4;
    private static final int BUFFER_BYTES = 256 << 10;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final CRC32C crc = new CRC32C();
    private @Nullable MappedByteBuffer mapped;

    private ScanCeilingAdapter(FileChannel channel) {
        this.channel = channel;
    }

    /** Opens the file in {@code folder}, to append to it or to scan what is there. */
    public static QueueUnderTest open(Path folder) throws IOException {
        return new ScanCeilingAdapter(FileChannel.open(
                folder.resolve("ceiling.scan"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE));
    }

    @Override
    public synchronized void write(byte[] record) throws IOException {
        if (buffer.remaining() < HEADER_BYTES + record.length) {
            flush();
        }
        buffer.putInt(record.length).putInt(crcOf(record)).putLong(0).put(record);
    }

    @Override
    public byte @Nullable [] read() {
        throw new UnsupportedOperationException("CEILING_SCAN only writes and scans");
    }

    @Override
    public synchronized void scan(Consumer<byte[]> sink) throws IOException {
        flush();
        MappedByteBuffer log = mapped();
        int end = log.capacity();
        int position = 0;
        while (position < end) {
            byte[] record = new byte[log.getInt(position)];
            log.get(position + HEADER_BYTES, record);
            if (crcOf(record) != log.getInt(position + CRC_OFFSET)) {
                throw new IOException("crc32c differs: position=" + position);
            }
            sink.accept(record);
            position += HEADER_BYTES + record.length;
        }
    }

    @Override
    public synchronized void clear() throws IOException {
        buffer.clear();
        mapped = null;
        channel.truncate(0);
    }

    @Override
    public long forces() {
        return 0;
    }

    @Override
    public synchronized void close() throws IOException {
        flush();
        channel.close();
    }

    private MappedByteBuffer mapped() throws IOException {
        MappedByteBuffer log = mapped;
        if (log == null || log.capacity() != channel.size()) {
            log = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            mapped = log;
        }
        return log;
    }

    private void flush() throws IOException {
        buffer.flip();
        Channels.writeFully(channel, buffer, channel.size());
        buffer.clear();
    }

    private int crcOf(byte[] record) {
        crc.reset();
        crc.update(record, 0, record.length);
        return (int) crc.getValue();
    }
}
