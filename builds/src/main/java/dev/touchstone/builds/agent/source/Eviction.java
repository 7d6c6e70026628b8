package dev.touchstone.builds.agent.source;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Decides which workspaces, mirrors and caches go, the longest unused first. The time of modification of a folder is its last use: each build sets it.
 * Mirrors come after workspaces of the same age, since workspaces borrow their objects.
 */
public final class Eviction {
    private static final System.Logger LOGGER = System.getLogger(Eviction.class.getName());

    private final Duration age;
    private final long bytes;
    private final List<Candidate> candidates = new ArrayList<>();

    /**
     * A folder that may go.
     *
     * @param remove removes it; returns false if it is in use
     */
    private record Candidate(Path folder, Instant used, long size, boolean mirror, Predicate<Path> remove) {}

    /**
     * Makes an eviction without candidates.
     *
     * @param age for which unused folders are kept
     * @param bytes which all folders together may have
     */
    public Eviction(Duration age, long bytes) {
        this.age = age;
        this.bytes = bytes;
    }

    /** Adds a folder that {@code remove} removes, unless it is in use. */
    public void add(Path folder, boolean mirror, Predicate<Path> remove) throws IOException {
        Instant used =
                Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS).toInstant();
        candidates.add(new Candidate(folder, used, bytes == Long.MAX_VALUE ? 0 : size(folder), mirror, remove));
    }

    /** Removes what is too old, and then the oldest until the rest is small enough. */
    public void run(Instant now) {
        candidates.sort(Comparator.comparing(Candidate::used).thenComparing(Candidate::mirror));
        long left = candidates.stream().mapToLong(Candidate::size).sum();
        for (Candidate candidate : candidates) {
            boolean old = candidate.used().plus(age).isBefore(now);
            if ((old || left > bytes) && candidate.remove().test(candidate.folder())) {
                left -= candidate.size();
                LOGGER.log(
                        System.Logger.Level.INFO, "removed folder=" + candidate.folder() + " used=" + candidate.used());
            }
        }
    }

    /** Returns the bytes of all files below; files that go meanwhile, or cannot be read, count nothing. */
    private static long size(Path folder) throws IOException {
        long[] sum = new long[1];
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                sum[0] += attributes.size();
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException failure) {
                return FileVisitResult.CONTINUE;
            }
        });
        return sum[0];
    }
}
