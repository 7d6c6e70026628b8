package dev.touchstone.queue.replicated.member;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** Files of a snapshot's folder. */
final class SnapshotFiles {
    /** Name of the folder of the machine's files. */
    static final String MACHINE = "machine";

    private SnapshotFiles() {}

    /** Returns the files below {@code folder}, in the order of their names. */
    static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** Returns the name by which jraft knows a file: relative to the snapshot's folder, with slashes. */
    static String name(Path folder, Path file) {
        return folder.relativize(file).toString().replace('\\', '/');
    }

    /**
     * Brings a folder's files and names to the device: jraft copies a leader's snapshot without it, and drops the log that the snapshot takes
     * the place of.
     */
    static void force(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> paths = Files.walk(folder)) {
            all = paths.toList();
        }
        for (Path path : all) {
            if (Files.isRegularFile(path)) {
                force(path, StandardOpenOption.WRITE);
            } else if (Files.isDirectory(path)) {
                force(path, StandardOpenOption.READ);
            }
        }
    }

    private static void force(Path path, StandardOpenOption mode) throws IOException {
        try (FileChannel channel = FileChannel.open(path, mode)) {
            channel.force(true);
        }
    }
}
