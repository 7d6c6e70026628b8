package dev.touchstone.builds.origin;

import dev.touchstone.builds.agent.Assignment;
import dev.touchstone.builds.agent.log.SecretMasker;
import dev.touchstone.builds.agent.log.Secrets;
import dev.touchstone.builds.file.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The log of a build that a slave runs, in a file until the master has all of it. Slaves do not mask secrets, so this does before it writes. One thread writes, and
 * any reads.
 */
final class SlaveLog implements AutoCloseable {
    /*
     * Who calls:  whoever holds the lock of the run `append` and `finish`; threads of the link `read`; any thread the others.
     * Invariants: `bytes` grows when the bytes are in the file, so that nobody reads what is not there yet.
     */
    private final Path file;
    private final FileChannel channel;
    private final Secrets secrets;
    private final @Nullable SecretMasker masker;
    private final long limitBytes;
    private volatile long bytes;
    private volatile boolean isTruncated;

    /**
     * Creates the file.
     *
     * @param folder of such files; not null
     * @param assignment names the file, has the secrets and the limit; not null
     * @throws IOException if the file cannot be created
     * @throws dev.touchstone.builds.agent.log.SecretRefusedException if a secret cannot be masked
     */
    SlaveLog(Path folder, Assignment assignment) throws IOException {
        this.secrets = Secrets.of(assignment.environment(), assignment.secretNames());
        this.masker = secrets.isEmpty() ? null : new SecretMasker(secrets);
        this.limitBytes = assignment.maxLogBytes();
        this.file = Files.createTempFile(folder, assignment.jobId() + "-" + assignment.attempt() + "-", ".log");
        this.channel = OwnerOnly.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** Appends what the slave has sent; what is above the limit is left out, and the log says so. */
    void append(ByteBuffer from) throws IOException {
        if (masker == null) {
            write(from.duplicate());
            return;
        }
        byte[] chunk = new byte[from.remaining()];
        from.duplicate().get(chunk);
        write(masker.mask(chunk, chunk.length));
    }

    /** Appends what was held back because it might have been the beginning of a secret; nothing follows. */
    void finish() throws IOException {
        if (masker != null) {
            write(masker.finish());
        }
    }

    private void write(ByteBuffer from) throws IOException {
        long room = limitBytes - bytes;
        if (isTruncated || !from.hasRemaining()) {
            return;
        }
        if (from.remaining() > room) {
            from.limit(from.position() + (int) room);
            writeAll(from);
            isTruncated = true;
            writeAll(StandardCharsets.UTF_8.encode(
                    "\n---> Log truncated: it is longer than " + limitBytes + " bytes\n"));
        } else {
            writeAll(from);
        }
    }

    private void writeAll(ByteBuffer from) throws IOException {
        long end = bytes;
        while (from.hasRemaining()) {
            end += channel.write(from, end);
        }
        bytes = end;
    }

    /** Returns a text with its secrets masked. */
    String mask(String text) {
        return secrets.mask(text);
    }

    /** Returns the bytes that can be read. */
    long bytes() {
        return bytes;
    }

    /** Returns whether something was left out. */
    boolean isTruncated() {
        return isTruncated;
    }

    /** Reads from an offset; returns the number of bytes, 0 if there are none. */
    int read(long offset, ByteBuffer into) throws IOException {
        int length = (int) Math.max(0, Math.min(into.remaining(), bytes - offset));
        return Math.max(0, channel.read(into.slice(into.position(), length), offset));
    }

    /** Deletes the file. */
    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(file);
    }
}
