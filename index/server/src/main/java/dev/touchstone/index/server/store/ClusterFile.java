package dev.touchstone.index.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code cluster} of a store's folder: the cluster of its prices, their term and the highest promised one, as text with a CRC-32. Immutable.
 *
 * @param folder folder of the store
 */
public record ClusterFile(Path folder) {
    private static final int MAX_BYTES = 128;
    private static final Pattern LINE =
            Pattern.compile("(([0-9a-f-]{36}) ([0-9]{1,19}) ([0-9]{1,19})) ([0-9a-f]{8})\n");

    /**
     * The content of the file.
     *
     * @param cluster id of the cluster
     * @param term number of the cluster's term, at least 0
     * @param promised highest term that the member has promised to another one, at least the term
     */
    public record Content(UUID cluster, long term, long promised) {}

    /**
     * Returns the content.
     *
     * @return cluster and terms, or null if there is no file: the prices are of no cluster
     * @throws StoreDamagedException if the file has something else
     * @throws IOException if the file cannot be read
     */
    public @Nullable Content read() throws IOException {
        Path file = file();
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > MAX_BYTES) {
            throw damaged(null);
        }
        Matcher line = LINE.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
        if (!line.matches() || !line.group(5).equals(checksum(line.group(1)))) {
            throw damaged(null);
        }
        try {
            return new Content(
                    UUID.fromString(line.group(2)), Long.parseLong(line.group(3)), Long.parseLong(line.group(4)));
        } catch (IllegalArgumentException e) {
            throw damaged(e);
        }
    }

    private static String checksum(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.ISO_8859_1));
        return String.format(Locale.ROOT, "%08x", crc.getValue());
    }

    /**
     * Writes the content, which is on the device when this returns. If the process ends meanwhile, the file has the content before or this one.
     *
     * @param content cluster and terms
     * @throws IOException if the file cannot be written
     */
    public void write(Content content) throws IOException {
        String text = content.cluster() + " " + content.term() + " " + content.promised();
        Path next = folder.resolve("cluster.next");
        Set<OpenOption> options = Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING,
                LinkOption.NOFOLLOW_LINKS);
        try (FileChannel channel = FileChannel.open(next, options, new StoreFiles(folder).fileAttributes())) {
            ByteBuffer line = StandardCharsets.US_ASCII.encode(text + " " + checksum(text) + "\n");
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
                        + " expected=a UUID, two terms and their CRC-32; put it back from a copy, or delete it to have the store take over the prices of a cluster",
                cause);
    }
}
