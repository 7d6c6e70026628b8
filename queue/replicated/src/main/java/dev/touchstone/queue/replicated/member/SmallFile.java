package dev.touchstone.queue.replicated.member;

import dev.touchstone.queue.log.FileIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A small text file that is replaced as a whole. */
final class SmallFile {
    static final String TEMPORARY_SUFFIX = ".tmp";

    private SmallFile() {}

    /**
     * Replaces a file, which its owner alone can read; on return the new text is on the device.
     *
     * @throws IOException if it cannot be written, as on a full disk; names the file
     */
    static void write(FileIo io, Path file, String text) throws IOException {
        try {
            replace(io, file, text);
        } catch (IOException e) {
            throw new IOException("the file cannot be written: file=" + file + ": " + e.getMessage(), e);
        }
    }

    private static void replace(FileIo io, Path file, String text) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Path temporary = file.resolveSibling(file.getFileName() + TEMPORARY_SUFFIX);
        io.delete(temporary);
        try (FileIo.DataFile data = io.create(temporary, FileIo.Access.WRITE)) {
            data.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
            data.force();
        }
        io.rename(temporary, file);
        if (folder != null) {
            io.forceFolder(folder);
        }
    }

    /**
     * Returns a file's text.
     *
     * @throws IOException if it cannot be read, or is longer than {@code maxBytes}
     */
    static String read(FileIo io, Path file, int maxBytes) throws IOException {
        try (FileIo.DataFile data = io.open(file, FileIo.Access.READ)) {
            long bytes = data.size();
            if (bytes > maxBytes) {
                throw new IOException("the file is too long: limit=" + maxBytes + " bytes=" + bytes + " in " + file);
            }
            ByteBuffer buffer = ByteBuffer.allocate((int) bytes);
            data.read(buffer, 0);
            return StandardCharsets.UTF_8.decode(buffer.flip()).toString();
        }
    }
}
