package dev.touchstone.harness.cli;

import dev.touchstone.harness.env.DataFolderException;
import dev.touchstone.harness.env.Environment;
import dev.touchstone.harness.run.Folders;
import dev.touchstone.harness.run.Profile;
import dev.touchstone.harness.run.Shutdown;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A new folder on the disk that is measured, this run's own: made below the folder that the user gave, or else here, and deleted after. Nothing
 * that was there before is ever touched.
 */
final class DataFolder implements Closeable {
    static final String PREFIX = ".touchstone-data-";

    private final Path path;
    private final Path parent;
    private final Shutdown shutdown;
    private final Runnable closing = this::delete;

    private DataFolder(Path path, Path parent, Shutdown shutdown) {
        this.path = path;
        this.parent = parent;
        this.shutdown = shutdown;
        shutdown.last(closing);
    }

    /** Makes it below the given folder, which must be there, or below the current one. */
    static DataFolder open(@Nullable Path given, Shutdown shutdown) throws IOException {
        Path parent = given == null ? Path.of(".") : given;
        if (!Files.exists(parent)) {
            throw new UsageException("--data: no such folder: " + parent);
        }
        if (!Files.isDirectory(parent)) {
            throw new UsageException("--data: not a folder: " + parent);
        }
        try {
            return new DataFolder(Files.createTempDirectory(parent.toRealPath(), PREFIX), parent, shutdown);
        } catch (IOException e) {
            throw DataFolderException.cannotCreate(parent, e);
        }
    }

    /** Absolute, so that forks find it wherever they run. */
    Path path() {
        return path;
    }

    /** Refuses a disk that the profile's benchmarks would fill. */
    void checkSpace(Environment environment, Profile profile) throws DataFolderException {
        long free = environment.freeBytes();
        if (free >= 0 && free < profile.neededBytes()) {
            throw DataFolderException.tooLittleSpace(parent, profile.neededBytes(), free);
        }
    }

    @Override
    public void close() {
        shutdown.forget(closing);
        delete();
    }

    /** Called by whoever comes first, the command or the end of the process. */
    private synchronized void delete() {
        try {
            Folders.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + path, e);
        }
    }
}
