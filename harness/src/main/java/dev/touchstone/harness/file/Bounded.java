package dev.touchstone.harness.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reading of files whose size nobody vouches for. */
public final class Bounded {
    private Bounded() {}

    /**
     * Reads the whole file.
     *
     * @param file existing file
     * @param maxBytes largest accepted size in bytes
     * @return all of its bytes
     * @throws ResultFormatException if it is larger than {@code maxBytes}
     * @throws IOException if it cannot be read
     */
    public static byte[] read(Path file, long maxBytes) throws IOException {
        long size = Files.size(file);
        if (size > maxBytes) {
            throw new ResultFormatException(file, 0, "expected at most " + maxBytes + " bytes, got " + size);
        }
        return Files.readAllBytes(file);
    }
}
