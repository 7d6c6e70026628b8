package dev.touchstone.harness.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Whole files that are either the old or the new one, never half of one: temporary file, force, rename. */
public final class AtomicFiles {
    private AtomicFiles() {}

    /**
     * Replaces {@code file} by {@code text}; the text is on the device when this returns.
     *
     * @param file existing or new file, in an existing folder
     * @param text all of its content, written as UTF-8
     * @throws IOException if writing fails; the old file then remains
     */
    public static void write(Path file, String text) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        try {
            try (FileChannel channel = FileChannel.open(
                    temporary,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE)) {
                writeFully(channel, text);
                channel.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /**
     * Writes a text in UTF-8, however many calls it takes.
     *
     * @param channel written to at its position
     * @param text not null
     * @throws IOException if the channel cannot be written to
     */
    public static void writeFully(FileChannel channel, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
