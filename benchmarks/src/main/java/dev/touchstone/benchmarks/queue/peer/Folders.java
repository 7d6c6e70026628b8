package dev.touchstone.benchmarks.queue.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Operations on whole folders, for adapters and benchmarks. Symbolic links are removed, never followed. */
public final class Folders {

    private static final int MAX_COPIES = 20;

    private Folders() {}

    /** Deletes {@code folder} and all below it; does nothing where it is not there. */
    public static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException problem) throws IOException {
                if (problem != null) {
                    throw problem;
                }
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /**
     * Copies the files of a subject that nobody uses at the moment, whose state in the page cache is what a killed process leaves. Begins again
     * where the subject's own threads take a file away meanwhile.
     *
     * @param copy a folder that is not there yet
     */
    public static void copy(Path folder, Path copy) throws IOException {
        for (int i = 1; ; i++) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.toList()) {
                    Path to = copy.resolve(folder.relativize(file).toString());
                    Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
                }
                return;
            } catch (NoSuchFileException | UncheckedIOException e) {
                if (i == MAX_COPIES) {
                    throw e;
                }
                delete(copy);
            }
        }
    }

    /** Forces every file below {@code folder} to the device, so that no write-back of theirs runs later. */
    public static void force(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.force(true);
                }
            }
        }
    }
}
