package dev.touchstone.harness.store;

import dev.touchstone.harness.file.AtomicFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Appends forks to {@code forks.jsonl}; each is on the device when {@link #append} returns. Not thread-safe. */
public final class ForkLog implements Closeable {
    private final Path file;
    private final FileChannel channel;

    private ForkLog(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Opens the file for appending behind its first {@code completeBytes} bytes and drops the rest: what a crash tore. */
    static ForkLog open(Path file, long completeBytes) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            channel.truncate(completeBytes);
            channel.position(completeBytes);
            return new ForkLog(file, channel);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Appends one line and forces it to the device.
     *
     * @param fork the result to record
     * @throws IOException if writing fails; the file may then end in a torn line, which {@link RunFolder#openLog} drops
     */
    public void append(ForkResult fork) throws IOException {
        try {
            AtomicFiles.writeFully(channel, ForkLines.encode(fork));
            channel.force(true);
        } catch (IOException e) {
            throw new IOException(
                    "cannot record a fork: file=" + file + " cause=" + e.getMessage()
                            + "; mend that, and go on with --resume",
                    e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
