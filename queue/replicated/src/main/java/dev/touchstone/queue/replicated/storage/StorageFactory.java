package dev.touchstone.queue.replicated.storage;

import com.alipay.sofa.jraft.core.DefaultJRaftServiceFactory;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.storage.LogStorage;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A service factory of the consensus library for one member, whose log it stores in a {@link SegmentLogStorage}, and all else as the library
 * does.
 */
public final class StorageFactory extends DefaultJRaftServiceFactory {
    private final StorageOptions options;
    private final FileIo io;
    private final Progress progress;
    private volatile @Nullable SegmentLogStorage storage;

    /**
     * Creates a factory of a storage with files of such sizes.
     *
     * @param io writes the files
     * @param progress how far the member has applied its log
     */
    public StorageFactory(StorageOptions options, FileIo io, Progress progress) {
        this.options = options;
        this.io = io;
        this.progress = progress;
    }

    /**
     * Creates a storage, not yet open.
     *
     * @param uri path of the log's folder
     * @param raftOptions not used: every write is forced
     */
    @Override
    public LogStorage createLogStorage(String uri, RaftOptions raftOptions) {
        SegmentLogStorage created =
                new SegmentLogStorage(Path.of(uri), io, options, task -> startThread(uri, task), progress);
        storage = created;
        return created;
    }

    /**
     * Makes the log of a member that has not taken part in a group yet, where there is none; on return it is on the device.
     *
     * @param log path of the log's folder
     * @throws IOException if it cannot be made
     */
    public void make(Path log) throws IOException {
        SegmentLog.open(io, log, options, prepare -> {}, (run, position, header, payload) -> {})
                .close();
    }

    /**
     * Checks that the log of a member that has taken part in a group is there. A new one in its place would be without the entries that the member has
     * confirmed.
     *
     * @param log path of the log's folder
     * @throws CorruptLogException if there is none
     */
    public static void require(Path log) throws CorruptLogException {
        requireFile(log.resolve(StorageStateFile.NAME), "log");
    }

    private static void requireFile(Path file, String field) throws CorruptLogException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new CorruptLogException(file, 0, field, "the file", "no file");
        }
    }

    /** Returns why the storage has not done what it was told, where the library tells only that it has not; null if it has. */
    public @Nullable IOException failure() {
        SegmentLogStorage created = storage;
        return created == null ? null : created.reason();
    }

    /**
     * The reading of a log.
     *
     * @param first index of the first entry that was read
     * @param last index of the last one
     * @param damage the first damage; null if there is none
     */
    public record Reading(long first, long last, @Nullable String damage) {}

    /** Reads each entry that the log has now from the device; a damage is told, and does not end the storage. */
    public Reading readAll() {
        SegmentLogStorage created = storage;
        return created == null ? new Reading(0, 0, "the log is not open") : created.readAll();
    }

    /** Starts a thread for one segment, which is made now and then only. */
    private static void startThread(String uri, Runnable task) {
        Thread thread = new Thread(task, "replicated-log-segments " + uri);
        thread.setDaemon(true);
        thread.start();
    }
}
