package dev.touchstone.index.hazelcast;

import dev.touchstone.index.price.PriceIndex;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A version of an index in a temporary file, which is deleted when it is closed. Reads are thread-safe. */
final class SnapshotFile implements Closeable {
    private final Path folder;
    private final FileChannel channel;
    private final long length;

    private SnapshotFile(Path folder, FileChannel channel) throws IOException {
        this.folder = folder;
        this.channel = channel;
        length = channel.size();
    }

    /** Writes the current version of an index, for its owner only. */
    static SnapshotFile of(PriceIndex index) throws IOException {
        Path folder = Files.createTempDirectory("price-snapshot");
        Path file = folder.resolve("snapshot");
        try {
            index.write(file);
            return new SnapshotFile(
                    folder, FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.DELETE_ON_CLOSE));
        } catch (IOException | RuntimeException | Error e) {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder);
            throw e;
        }
    }

    long length() {
        return length;
    }

    /** Returns the bytes from an offset to the end, but at most so many. */
    byte[] read(long offset, int max) throws IOException {
        if (offset < 0 || offset > length) {
            throw new IOException("offset is outside of the snapshot: offset=" + offset + " bytes=" + length);
        }
        ByteBuffer part = ByteBuffer.allocate((int) Math.min(max, length - offset));
        while (part.hasRemaining() && channel.read(part, offset + part.position()) >= 0) {
            // goes on until the part is full
        }
        return part.array();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(folder);
    }
}
