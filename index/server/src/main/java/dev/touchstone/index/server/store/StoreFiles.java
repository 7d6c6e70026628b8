package dev.touchstone.index.server.store;

import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.price.BatchFormat;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.queue.CorruptQueueException;
import dev.touchstone.queue.Damage;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.QueueException;
import dev.touchstone.queue.QueueLockedException;
import dev.touchstone.queue.UnknownCompressionException;
import dev.touchstone.queue.inspect.QueueFolder;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The files of a store. Immutable.
 *
 * <pre>
 *   snapshot.index      index file of the snapshot; it is what makes the folder a store
 *   cluster             id of the cluster whose prices these are; see {@link ClusterFile}
 *   log                 folder of the queue of batches; its lock is that of the store
 *   damaged-log-N       copy of a log that a repair gave up
 * </pre>
 */
record StoreFiles(Path folder) {
    private static final String ADVICE =
            "; 'index-server verify' says what is lost, 'index-server repair' opens the rest";

    Path snapshot() {
        return folder.resolve("snapshot.index");
    }

    Path log() {
        return folder.resolve("log");
    }

    /** Returns whether the folder holds a store. */
    boolean isStore() {
        return Files.exists(snapshot(), LinkOption.NOFOLLOW_LINKS);
    }

    /** Checks that the folder holds a store whose parts are files of the kinds that they should be. */
    void requireStore() throws IOException {
        if (!isStore() && !Files.isDirectory(log())) {
            throw new NoSuchFileException(
                    folder.toString(), null, "no store in this folder; 'index-server build' makes one");
        }
        requireSnapshot();
        if (!hasLog()) {
            throw new StoreDamagedException("log is missing: folder=" + log() + ADVICE, null);
        }
    }

    /** Checks that the snapshot is a file, and no link to one. */
    void requireSnapshot() throws StoreDamagedException {
        if (!Files.isRegularFile(snapshot(), LinkOption.NOFOLLOW_LINKS)) {
            throw new StoreDamagedException(
                    "snapshot is missing, or no regular file: file=" + snapshot() + "; put it back from a copy", null);
        }
    }

    /**
     * Returns whether there is a log.
     *
     * @throws StoreDamagedException if something else is in its place, such as a link to another folder
     */
    boolean hasLog() throws StoreDamagedException {
        if (!Files.exists(log(), LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        if (!Files.isDirectory(log(), LinkOption.NOFOLLOW_LINKS)) {
            throw new StoreDamagedException("log is no folder: path=" + log() + "; put the folder in its place", null);
        }
        return true;
    }

    /** Checks that a new store can be made in the folder, which need not exist. */
    void requireFolder() throws IOException {
        Path at = folder.toAbsolutePath();
        while (at != null && !Files.exists(at)) {
            at = at.getParent();
        }
        if (at != null && !Files.isDirectory(at)) {
            throw new NotDirectoryException(at.toString());
        }
    }

    /** Returns the identity of the folder of the log in the file system; null where there is none. */
    @Nullable
    Object identity() throws IOException {
        return Files.readAttributes(log(), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /**
     * Checks that the folder of the log is still the one that was opened. Another store may stand in its place, whose snapshot must not be overwritten.
     *
     * @param opened {@link #identity} when the log was opened
     */
    void requireSame(@Nullable Object opened) throws StoreFailedException {
        try {
            if (Objects.equals(identity(), opened)) {
                return;
            }
        } catch (IOException e) {
            throw new StoreFailedException("folder of the log cannot be found any more: folder=" + log(), e);
        }
        throw new StoreFailedException(
                "folder was replaced while the store was open: folder=" + folder
                        + "; the log has all updates in the folder that stood here before",
                null);
    }

    /** Returns the attributes of new files: only their owner may use them. */
    FileAttribute<?>[] fileAttributes() {
        return attributes("rw-------");
    }

    private FileAttribute<?>[] attributes(String permissions) {
        return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    /** Opens the log, which is made where absent, together with the folder. Nobody else can open it until it is closed. */
    DiskQueue<byte[]> openLog(Damage.Handler onDamage) throws StoreException {
        try {
            return DiskQueue.synced()
                    .folder(log())
                    .maxRecordBytes(BatchFormat.MAX_BYTES + (1 << 20)) // the format's own limit comes first
                    .onDamage(onDamage)
                    .open();
        } catch (QueueException e) {
            throw failure(e);
        }
    }

    /** Returns the number of files of the log that could not be read when it was opened, and were kept under other names. */
    int setAside() throws IOException {
        return new QueueFolder(log()).stats().setAsideFiles();
    }

    /** Returns the exception for a failure of the log. */
    StoreException failure(QueueException e) {
        if (e instanceof QueueLockedException) {
            return new StoreInUseException(
                    "store is in use: folder=" + folder + ": " + e.getMessage() + "; stop the process that serves it",
                    e);
        }
        if (e instanceof CorruptQueueException || e instanceof UnknownCompressionException) {
            return new StoreDamagedException("log is damaged: log=" + log() + ": " + e.getMessage() + ADVICE, e);
        }
        return new StoreFailedException("log failed: log=" + log() + ": " + e.getMessage(), e);
    }

    StoreDamagedException damagedLog(String what) {
        return new StoreDamagedException("log is damaged: log=" + log() + ": " + what + ADVICE, null);
    }

    /** Reads the snapshot, or maps it. */
    PriceIndex readSnapshot(boolean isMapped) throws IOException {
        try {
            return isMapped ? PriceIndex.map(snapshot()) : PriceIndex.open(snapshot());
        } catch (CorruptIndexException e) {
            throw damagedSnapshot(e);
        }
    }

    /** Reads every byte of the snapshot. */
    void checkSnapshot() throws IOException {
        try {
            PriceIndex.validate(snapshot());
        } catch (CorruptIndexException e) {
            throw damagedSnapshot(e);
        }
    }

    private StoreDamagedException damagedSnapshot(IOException e) {
        return new StoreDamagedException(
                "snapshot is damaged: file=" + snapshot() + ": " + e.getMessage()
                        + "; put it back from a copy, the log goes on from there; 'index-server verify' says what the log has",
                e);
    }

    /** Copies the files of the log into a new folder beside it, and returns that folder. */
    Path copyLog() throws IOException {
        int number = 1;
        while (Files.exists(folder.resolve("damaged-log-" + number), LinkOption.NOFOLLOW_LINKS)) {
            number++;
        }
        Path copy = Files.createDirectory(folder.resolve("damaged-log-" + number), attributes("rwx------"));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(log())) {
            for (Path file : files) {
                Files.copy(file, copy.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return copy;
    }
}
