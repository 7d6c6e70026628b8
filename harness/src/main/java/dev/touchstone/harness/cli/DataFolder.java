package dev.touchstone.harness.cli;

import dev.touchstone.harness.env.Environment;
import dev.touchstone.harness.run.Folders;
import dev.touchstone.harness.run.Shutdown;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The folder whose disk is measured: the user's own, or one made here and deleted after. */
final class DataFolder implements Closeable {
    static final String DEFAULT = ".touchstone-data";
    private static final long LEAST_FREE_BYTES = 6L << 30;
    private static final double GIB = 1L << 30;

    private final Path path;
    private final String asGiven;
    private final boolean own;
    private final Shutdown shutdown;
    private final Runnable closing = this::deleteOwn;

    private DataFolder(Path path, String asGiven, boolean own, Shutdown shutdown) {
        this.path = path;
        this.asGiven = asGiven;
        this.own = own;
        this.shutdown = shutdown;
        shutdown.last(closing);
    }

    /** The given folder, which must be there, or else the default one, which is made. */
    static DataFolder open(@Nullable Path given, Shutdown shutdown) throws IOException {
        if (given == null) {
            Path made = Files.createDirectories(Path.of(DEFAULT));
            return new DataFolder(made.toRealPath(), DEFAULT, true, shutdown);
        }
        if (!Files.exists(given)) {
            throw new UsageException("--data: no such folder: " + given);
        }
        if (!Files.isDirectory(given)) {
            throw new UsageException("--data: not a folder: " + given);
        }
        if (!Files.isWritable(given)) {
            throw new UsageException("--data: not writable: " + given);
        }
        return new DataFolder(given.toRealPath(), given.toString(), false, shutdown);
    }

    /** Absolute, so that forks find it wherever they run. */
    Path path() {
        return path;
    }

    /** As the user named it, for the record. */
    String asGiven() {
        return asGiven;
    }

    /** Refuses a disk that the benchmarks would fill. */
    static void checkSpace(Environment environment, Path folder) {
        long free = environment.freeBytes();
        if (free >= 0 && free < LEAST_FREE_BYTES) {
            throw new UsageException(String.format(
                    Locale.ROOT,
                    "--data: too little space in %s: expected %.0f GiB free, got %.1f GiB",
                    folder,
                    LEAST_FREE_BYTES / GIB,
                    free / GIB));
        }
    }

    @Override
    public void close() {
        shutdown.forget(closing);
        deleteOwn();
    }

    /** Called by whoever comes first, the command or the end of the process. */
    private synchronized void deleteOwn() {
        try {
            if (own) {
                Folders.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + path, e);
        }
    }
}
