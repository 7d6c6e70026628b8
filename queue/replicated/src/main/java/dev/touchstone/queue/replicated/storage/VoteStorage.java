package dev.touchstone.queue.replicated.storage;

import com.alipay.sofa.jraft.core.NodeImpl;
import com.alipay.sofa.jraft.entity.EnumOutter.ErrorType;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.error.RaftException;
import com.alipay.sofa.jraft.option.RaftMetaStorageOptions;
import com.alipay.sofa.jraft.storage.RaftMetaStorage;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The term of a member and its vote in it, in a file that is replaced as a whole and names the member. Thread-safe. */
final class VoteStorage implements RaftMetaStorage {
    /*
     * Who calls:   the library, with its node's lock; the log's thread raises the term.
     * Invariants:  a term or vote is on the device when the call that sets it returns. The file is made once, before the member takes part in a
     *              group: where it is missing later, the member has forgotten for whom it voted, and does not start.
     *              The stored term is that of the log's last entry or a later one; so a file with an earlier one is an old copy, and the member does
     *              not start. The library alone would not keep to that: as it stands for election it raises its term, gives its lock away, and
     *              stores the term later; entries of another leader of the same term may come in between. So the log has the term raised before it
     *              appends. A vote of the raised term is lost by that only if it is the member's own that it has not asked others for yet.
     * Failure:     a write that fails ends the member, and the call throws: the library does not look at what it returns, and would answer with a
     *              vote that is not stored. One that raises the term fails the append, which ends the member as well.
     * Lock order:  the node's lock or that of the log's storage, then this one; under this one nothing is called that takes another.
     */
    static final String FILE = "vote";

    private static final String FIELD = "term and vote";
    /** File of the library's own storage, without a checksum, which members had before. */
    private static final String UNCHECKED_FILE = "raft_meta";

    private static final int MAX_FILE_BYTES = 1_024;
    private static final Pattern TEXT =
            Pattern.compile("touchstone-vote 2\nmember ([^\n]{1,400})\nterm ([0-9]{1,18})\nvote (\\S{1,300})\n");

    private final FileIo io;
    private final Path folder;
    private final String owner;
    private final LongSupplier lastTermOfLog;
    private final Consumer<IOException> failed;
    private volatile @Nullable NodeImpl node;

    @GuardedBy("this")
    private long term;

    @GuardedBy("this")
    private PeerId vote = PeerId.emptyPeer();

    /**
     * Creates a storage, which {@link #init} opens.
     *
     * @param owner id and address of the member whose votes these are
     * @param lastTermOfLog returns the term of the last entry of the log, which is open; 0 if there is none
     * @param failed told why the storage cannot be opened or written
     */
    VoteStorage(FileIo io, Path folder, String owner, LongSupplier lastTermOfLog, Consumer<IOException> failed) {
        this.io = io;
        this.folder = folder;
        this.owner = owner;
        this.lastTermOfLog = lastTermOfLog;
        this.failed = failed;
    }

    /** Makes the file of a member that has not voted yet, if there is none; on return it is on the device. */
    static void make(FileIo io, Path folder, String owner) throws IOException {
        io.createFolder(folder);
        Path file = folder.resolve(FILE);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            SmallFile.write(io, file, text(owner, 0, PeerId.emptyPeer()));
        }
    }

    /**
     * Checks that a folder has the file.
     *
     * @throws CorruptLogException if it does not
     */
    static void require(Path folder) throws CorruptLogException {
        StorageFactory.requireFile(folder.resolve(FILE), FIELD);
    }

    /** Reads term and vote. Returns false if they cannot be read. */
    @Override
    public boolean init(RaftMetaStorageOptions options) {
        node = options.getNode();
        long lastTerm = lastTermOfLog.getAsLong();
        try {
            read(lastTerm);
            return true;
        } catch (IOException e) {
            failed.accept(e);
            return false;
        }
    }

    private synchronized void read(long lastTerm) throws IOException {
        Path file = folder.resolve(FILE);
        Path unchecked = folder.resolve(UNCHECKED_FILE);
        if (Files.exists(unchecked, LinkOption.NOFOLLOW_LINKS)) {
            throw new CorruptLogException(
                    unchecked, 0, FIELD, "the file " + FILE + " alone", "the file of an earlier version");
        }
        require(folder);
        Matcher text = TEXT.matcher(SmallFile.read(io, file, MAX_FILE_BYTES));
        if (!text.matches() || !vote.parse(text.group(3))) {
            throw new CorruptLogException(
                    file, 0, FIELD, "the lines touchstone-vote 2, member, term and vote", "others");
        }
        if (!text.group(1).equals(owner)) {
            throw new CorruptLogException(
                    file, 0, FIELD, "those of member " + owner, "those of member " + text.group(1));
        }
        term = Long.parseLong(text.group(2));
        if (term < lastTerm) {
            throw new CorruptLogException(
                    file, 0, "term", lastTerm + ", that of the log's last entry, or a later one", term);
        }
    }

    private static String text(String owner, long term, PeerId vote) {
        return "touchstone-vote 2\nmember " + owner + "\nterm " + term + "\nvote " + vote + "\n";
    }

    @Override
    public synchronized long getTerm() {
        return term;
    }

    @Override
    public synchronized PeerId getVotedFor() {
        return vote;
    }

    @Override
    public boolean setTerm(long newTerm) {
        return setTermAndVotedFor(newTerm, getVotedFor());
    }

    @Override
    public boolean setVotedFor(PeerId peer) {
        return setTermAndVotedFor(getTerm(), peer);
    }

    /**
     * Stores term and vote; on return they are on the device.
     *
     * @throws UncheckedIOException if they cannot be stored, after the member was told to end
     */
    @Override
    public boolean setTermAndVotedFor(long newTerm, PeerId peer) {
        try {
            store(newTerm, peer);
        } catch (IOException e) {
            throw end(e);
        } catch (RuntimeException | Error e) {
            throw end(new IOException("term and vote cannot be stored: folder=" + folder + ": " + e, e));
        }
        return true;
    }

    /**
     * Stores a term that is higher than the one so far, without a vote in it; on return it is on the device. Does nothing if it is not higher.
     *
     * @throws IOException if it cannot be stored
     */
    synchronized void raise(long atLeast) throws IOException {
        if (term < atLeast) {
            store(atLeast, PeerId.emptyPeer());
        }
    }

    private synchronized void store(long newTerm, PeerId peer) throws IOException {
        SmallFile.write(io, folder.resolve(FILE), text(owner, newTerm, peer));
        term = newTerm;
        vote = peer.copy();
    }

    private UncheckedIOException end(IOException failure) {
        failed.accept(failure);
        NodeImpl ended = node;
        if (ended != null) {
            ended.onError(new RaftException(ErrorType.ERROR_TYPE_META, RaftError.EIO, "%s", failure.getMessage()));
        }
        return new UncheckedIOException(failure);
    }

    /** Does nothing: all that was set is stored. */
    @Override
    public void shutdown() {}
}
