package dev.touchstone.harness.cli;

import dev.touchstone.cli.UsageException;
import dev.touchstone.harness.env.DataFolderException;
import dev.touchstone.harness.env.Environment;
import dev.touchstone.harness.file.Folders;
import dev.touchstone.harness.run.Profile;
import dev.touchstone.harness.run.fork.Shutdown;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A new folder on the disk that is measured, this run's own: made below the folder that the user gave, or else here, and deleted after. Of what
 * was there before nothing is ever touched but such folders of runs that were killed: a run holds the lock beside its folder while it lives.
 */
final class DataFolder implements Closeable {
    static final String PREFIX = ".touchstone-data-";

    private static final String LOCK_SUFFIX = ".lock";
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path path;
    private final FileChannel lock;
    private final Path parent;
    private final Shutdown shutdown;
    private final Runnable closing = this::delete;

    private DataFolder(Path path, FileChannel lock, Path parent, Shutdown shutdown) {
        this.path = path;
        this.lock = lock;
        this.parent = parent;
        this.shutdown = shutdown;
        shutdown.last(closing);
    }

    /** Makes it below the given folder, which must be there, or below the current one. */
    static DataFolder open(@Nullable Path given, Shutdown shutdown) throws IOException {
        Path parent = given == null ? Path.of(".") : given;
        if (!Files.exists(parent)) {
            throw new UsageException("--data: no such folder: path=" + parent + "; create it, or name another one");
        }
        if (!Files.isDirectory(parent)) {
            throw new UsageException("--data: not a folder: " + parent);
        }
        try {
            deleteLeftOver(parent);
            Path path = parent.toRealPath().resolve(PREFIX + UUID.randomUUID());
            FileChannel lock = FileChannel.open(lockOf(path), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            if (lock.tryLock() == null) { // before the folder is there, so that none without a lock is another's
                throw new IOException("not the only one with " + lockOf(path));
            }
            return new DataFolder(Files.createDirectory(path, OWNER_ONLY), lock, parent, shutdown);
        } catch (IOException e) {
            throw DataFolderException.cannotCreate(parent, e);
        }
    }

    private static void deleteLeftOver(Path parent) throws IOException {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path path : found) {
                if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
                        && Files.isRegularFile(lockOf(path), LinkOption.NOFOLLOW_LINKS)) {
                    deleteUnlessHeld(path);
                }
            }
        }
    }

    private static void deleteUnlessHeld(Path path) {
        try (FileChannel lock = FileChannel.open(lockOf(path), StandardOpenOption.WRITE)) {
            if (lock.tryLock() != null) {
                Folders.delete(path);
                Files.deleteIfExists(lockOf(path));
            }
        } catch (IOException | OverlappingFileLockException e) {
            // another's, gone meanwhile, or a fork that its parent left behind is still writing there: for a later run
        }
    }

    private static Path lockOf(Path path) {
        return path.resolveSibling(path.getFileName() + LOCK_SUFFIX);
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

    /** Deletes the folder; an end of the process meanwhile waits for the deletion, since the folder is not forgotten before. */
    @Override
    public void close() {
        try {
            delete();
        } finally {
            shutdown.forget(closing);
        }
    }

    /** Called by whoever comes first, the command or the end of the process. */
    private synchronized void delete() {
        try {
            Folders.delete(path);
            Files.deleteIfExists(lockOf(path));
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + path, e);
        }
    }
}
