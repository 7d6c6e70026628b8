package dev.touchstone.index.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The file {@code cluster} of a store's folder: the id of the cluster whose prices these are, as a line of text. Immutable. */
public record ClusterFile(Path folder) {
    private static final int MAX_BYTES = 64;

    /**
     * Returns the id.
     *
     * @return id of the cluster, or null if there is no file: the prices are of no cluster
     * @throws StoreDamagedException if the file has something else
     * @throws IOException if the file cannot be read
     */
    public @Nullable UUID read() throws IOException {
        Path file = file();
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > MAX_BYTES) {
            throw damaged(null);
        }
        try {
            return UUID.fromString(
                    Files.readString(file, StandardCharsets.ISO_8859_1).strip());
        } catch (IllegalArgumentException e) {
            throw damaged(e);
        }
    }

    /**
     * Writes the id, which is on the device when this returns. If the process ends meanwhile, the file has the id before or this one.
     *
     * @param cluster id of the cluster
     * @throws IOException if the file cannot be written
     */
    public void write(UUID cluster) throws IOException {
        Path next = folder.resolve("cluster.next");
        Set<StandardOpenOption> options =
                EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        try (FileChannel channel = FileChannel.open(next, options, new StoreFiles(folder).fileAttributes())) {
            ByteBuffer line = StandardCharsets.US_ASCII.encode(cluster + "\n");
            while (line.hasRemaining()) {
                channel.write(line);
            }
            channel.force(true);
        }
        Files.move(next, file(), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    private Path file() {
        return folder.resolve("cluster");
    }

    private StoreDamagedException damaged(@Nullable Exception cause) {
        return new StoreDamagedException(
                "file of the cluster is damaged: file=" + file()
                        + " expected=a UUID; put it back from a copy, or delete it to have the store take over the prices of a cluster",
                cause);
    }
}
