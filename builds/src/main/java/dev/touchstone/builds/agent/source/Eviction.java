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
 *
 * <p>Sizes are lengths of files, which a script can make as large as it likes without using the disk. So what alone is larger than all may be goes first, and
 * no other folder has to make room for it.
 */
public final class Eviction {
    private static final System.Logger LOGGER = System.getLogger(Eviction.class.getName());

    private final Duration age;
    private final long bytes;
    private final List<Candidate> candidates = new ArrayList<>();

    /**
     * A folder that may go.
     *
     * @param size its bytes, of which no more are counted than one above those that all may have
     * @param remove removes it; returns false if it is in use
     */
    private record Candidate(Path folder, Instant used, long size, boolean mirror, Predicate<Path> remove) {
        boolean removeUnlessUsed() {
            boolean isRemoved = remove.test(folder);
            if (isRemoved) {
                LOGGER.log(System.Logger.Level.INFO, "removed folder=" + folder + " used=" + used + " bytes=" + size);
            }
            return isRemoved;
        }
    }

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
        candidates.add(new Candidate(folder, used, bytes == Long.MAX_VALUE ? 0 : size(folder, bytes), mirror, remove));
    }

    /** Removes what alone is too large, what is too old, and then the oldest until the rest is small enough. */
    public void run(Instant now) {
        candidates.sort(Comparator.comparing(Candidate::used).thenComparing(Candidate::mirror));
        List<Candidate> kept = new ArrayList<>();
        for (Candidate candidate : candidates) {
            if (candidate.size() <= bytes || !candidate.removeUnlessUsed()) {
                kept.add(candidate);
            }
        }
        long left = kept.stream().mapToLong(this::counted).sum();
        for (Candidate candidate : kept) {
            boolean old = candidate.used().plus(age).isBefore(now);
            if ((old || left > bytes) && candidate.removeUnlessUsed()) {
                left -= counted(candidate);
            }
        }
    }

    /** Returns the bytes for which others may have to go: none of a workspace or cache that is too large alone. What is in a mirror was fetched, so it counts. */
    private long counted(Candidate candidate) {
        return candidate.size() > bytes && !candidate.mirror() ? 0 : candidate.size();
    }

    /** Returns the bytes of all files below, or one more than {@code most}; files that go meanwhile, or cannot be read, count nothing. */
    private static long size(Path folder, long most) throws IOException {
        long[] sum = new long[1];
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.size() > most - sum[0]) { // compared so that no sum is beyond the range
                    sum[0] = most + 1;
                    return FileVisitResult.TERMINATE;
                }
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
