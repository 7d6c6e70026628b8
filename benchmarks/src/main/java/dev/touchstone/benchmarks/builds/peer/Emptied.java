package dev.touchstone.benchmarks.builds.peer;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/**
 * Folders that were to be emptied. They are moved aside and stay until the end: ext4 without a journal searches all files that were deleted in the last
 * minute whenever it makes one, and a build would pay for those that the benchmark deleted. Their content is given up, so that nothing of it is written.
 */
final class Emptied {
    private final Path aside;
    private int next;

    /**
     * Creates the folder that emptied workspaces are moved to.
     *
     * @param aside must not exist yet
     */
    Emptied(Path aside) throws IOException {
        this.aside = Files.createDirectory(aside);
    }

    /** Has an empty folder in this one's place. */
    void empty(Path folder) throws IOException {
        Path moved = Files.move(folder, aside.resolve(Integer.toString(next++)));
        Files.createDirectory(folder);
        try (Stream<Path> files = Files.walk(moved)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
                        .close();
            }
        }
    }
}
