package dev.touchstone.harness.env;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kernel's text files below a root folder; tests give a folder of fixtures. An absent or unreadable file reads as empty text. */
record SystemFiles(Path root) {

    /** Returns the files of this machine. */
    static SystemFiles ofThisMachine() {
        return new SystemFiles(Path.of("/"));
    }

    /** The text of a file by its path below the root, {@code proc/stat}. */
    String read(String name) {
        try {
            // The kernel's texts are ASCII but for device names; Latin-1 never fails to decode.
            return new String(Files.readAllBytes(root.resolve(name)), StandardCharsets.ISO_8859_1);
        } catch (IOException | SecurityException e) {
            return "";
        }
    }
}
