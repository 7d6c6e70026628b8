package dev.touchstone.serialization.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Output files that are written as a whole or not at all. */
final class WholeFile {
    private WholeFile() {}

    /** The content of a file. */
    @FunctionalInterface
    interface Content {
        /** Writes everything to a stream, which may be closed. */
        void writeTo(OutputStream out) throws IOException;
    }

    /** Replaces a file, or leaves it as it is if the content fails. */
    static void write(Path file, Content content) throws IOException {
        Path target = Files.exists(file) ? file.toRealPath() : file;
        Path temporary = target.resolveSibling(target.getFileName() + "." + UUID.randomUUID() + ".tmp");
        try {
            try (OutputStream out = new BufferedOutputStream(
                    Files.newOutputStream(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
                content.writeTo(out);
            }
            Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
