package dev.touchstone.queue.replicated.storage;

import com.alipay.sofa.jraft.core.DefaultJRaftServiceFactory;
import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.storage.LogStorage;
import com.alipay.sofa.jraft.storage.RaftMetaStorage;
import com.alipay.sofa.jraft.storage.SnapshotStorage;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A service factory of the consensus library for one member: its log is stored in a {@link SegmentLogStorage}, its vote in a {@link VoteStorage}, and
 * its snapshots as the library does, with a checksum.
 */
public final class StorageFactory extends DefaultJRaftServiceFactory {
    private final StorageOptions options;
    private final FileIo io;
    private final Progress progress;
    private final String owner;
    private volatile @Nullable SegmentLogStorage storage;
    private volatile @Nullable VoteStorage vote;
    private volatile @Nullable IOException failure; // of the vote or a snapshot

    /**
     * Creates a factory of a storage with files of such sizes.
     *
     * @param io writes the files
     * @param progress how far the member has applied its log
     * @param owner id and address of the member
     */
    public StorageFactory(StorageOptions options, FileIo io, Progress progress, String owner) {
        this.options = options;
        this.io = io;
        this.progress = progress;
        this.owner = owner;
    }

    /**
     * Creates a storage, not yet open.
     *
     * @param uri path of the log's folder
     * @param raftOptions not used: every write is forced
     */
    @Override
    public LogStorage createLogStorage(String uri, RaftOptions raftOptions) {
        SegmentLogStorage created = new SegmentLogStorage(
                Path.of(uri), io, options, task -> startThread(uri, task), progress, this::raiseTerm);
        storage = created;
        return created;
    }

    /**
     * Creates the storage of term and vote, not yet open.
     *
     * @param uri path of its folder
     * @param raftOptions not used: every write is forced
     */
    @Override
    public RaftMetaStorage createRaftMetaStorage(String uri, RaftOptions raftOptions) {
        VoteStorage created = new VoteStorage(io, Path.of(uri), owner, this::lastTerm, this::fail);
        vote = created;
        return created;
    }

    /** Creates the storage of the snapshots, not yet open. */
    @Override
    public SnapshotStorage createSnapshotStorage(NodeOptions node) {
        return new SealedSnapshots(
                Path.of(node.getSnapshotUri()),
                node.getSnapshotTempUri(),
                node.getRaftOptions(),
                this::firstIndex,
                this::fail);
    }

    private long firstIndex() {
        SegmentLogStorage created = storage;
        return created == null ? 0 : created.getFirstLogIndex();
    }

    private long lastTerm() {
        SegmentLogStorage created = storage;
        return created == null ? 0 : created.lastTerm();
    }

    /** Stores a term that entries have before they are appended; the library opens the vote after the log, and before it appends. */
    private void raiseTerm(long term) throws IOException {
        VoteStorage created = vote;
        if (created != null) {
            created.raise(term);
        }
    }

    private synchronized void fail(IOException reason) {
        if (failure == null) {
            failure = reason;
        }
    }

    /**
     * Makes the log and the vote of a member that has not taken part in a group yet, where there are none; on return they are on the device. A vote is
     * made when the log is on the device, and the folder of the snapshots when the vote is: nothing is made in the place of one that is missing.
     *
     * @param log path of the log's folder
     * @param vote path of the folder of term and vote
     * @param snapshots path of the folder of the snapshots
     * @throws CorruptLogException if the log is missing beside a vote or snapshots, or the vote beside snapshots or entries
     * @throws IOException if they cannot be made
     */
    public void make(Path log, Path vote, Path snapshots) throws IOException {
        boolean hadVote = exists(snapshots);
        if (hadVote || exists(vote.resolve(VoteStorage.FILE))) {
            require(log);
        }
        try (SegmentLog made =
                SegmentLog.open(io, log, options, prepare -> {}, (run, position, header, payload) -> {})) {
            hadVote |= made.first() > 1 || made.last() > 0;
        }
        if (hadVote) {
            VoteStorage.require(vote);
        }
        VoteStorage.make(io, vote, owner);
    }

    /**
     * Checks that the log of a member that has taken part in a group is there. A new one in its place would be without the entries that the member has
     * confirmed.
     *
     * @param log path of the log's folder
     * @throws CorruptLogException if there is none, or its state cannot be read
     */
    public void require(Path log) throws IOException {
        StorageStateFile.require(io, log);
    }

    /**
     * Checks the index, the term, the members and the list of files of a snapshot, and that it has all files.
     *
     * @param snapshot folder of the snapshot
     * @throws CorruptLogException if they are damaged
     */
    public static void checkSnapshot(Path snapshot) throws IOException {
        SealedSnapshots.check(snapshot);
    }

    /** Checks that a file is there, and neither a folder nor a link. */
    static void requireFile(Path file, String field) throws CorruptLogException {
        if (!exists(file)) {
            throw new CorruptLogException(file, 0, field, "the file", "no file");
        }
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new CorruptLogException(file, 0, "file type", "regular file", "another one");
        }
    }

    private static boolean exists(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** Closes the log, which the library leaves open where its node has not started. */
    public void close() {
        SegmentLogStorage created = storage;
        if (created != null) {
            created.shutdown();
        }
    }

    /** Returns why a storage has not done what it was told, where the library tells only that it has not; null if it has. */
    public @Nullable IOException failure() {
        SegmentLogStorage created = storage;
        IOException ofTheLog = created == null ? null : created.reason();
        return ofTheLog == null ? failure : ofTheLog;
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
