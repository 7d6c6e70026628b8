package dev.touchstone.queue.replicated.storage;

import com.alipay.sofa.jraft.core.NodeImpl;
import com.alipay.sofa.jraft.entity.EnumOutter.ErrorType;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.error.RaftException;
import com.alipay.sofa.jraft.option.RaftMetaStorageOptions;
import com.alipay.sofa.jraft.storage.RaftMetaStorage;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The term of a member and its vote in it, in a file that is replaced as a whole. Not thread-safe: the library calls it with its node's lock. */
final class VoteStorage implements RaftMetaStorage {
    /*
     * Invariants:  a term or vote is on the device when the call that sets it returns. The file is made once, before the member takes part in a
     *              group: where it is missing later, the member has forgotten for whom it voted, and does not start.
     * Failure:     a write that fails ends the member, and the call throws: the library does not look at what it returns, and would answer with a
     *              vote that is not stored.
     */
    static final String FILE = "vote";

    private static final String FIELD = "term and vote";
    /** File of the library's own storage, without a checksum, which members had before. */
    private static final String UNCHECKED_FILE = "raft_meta";

    private static final int MAX_FILE_BYTES = 1_024;
    private static final Pattern TEXT = Pattern.compile("touchstone-vote 1\nterm ([0-9]{1,18})\nvote (\\S{1,300})\n");

    private final FileIo io;
    private final Path folder;
    private final Consumer<IOException> failed;
    private @Nullable NodeImpl node;
    private long term;
    private PeerId vote = PeerId.emptyPeer();

    /**
     * Creates a storage, which {@link #init} opens.
     *
     * @param failed told why the storage cannot be opened or written
     */
    VoteStorage(FileIo io, Path folder, Consumer<IOException> failed) {
        this.io = io;
        this.folder = folder;
        this.failed = failed;
    }

    /** Makes the file of a member that has not voted yet, if there is none; on return it is on the device. */
    static void make(FileIo io, Path folder) throws IOException {
        io.createFolder(folder);
        Path file = folder.resolve(FILE);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            SmallFile.write(io, file, text(0, PeerId.emptyPeer()));
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
        try {
            read();
            return true;
        } catch (IOException e) {
            failed.accept(e);
            return false;
        }
    }

    private void read() throws IOException {
        Path file = folder.resolve(FILE);
        Path unchecked = folder.resolve(UNCHECKED_FILE);
        if (Files.exists(unchecked, LinkOption.NOFOLLOW_LINKS)) {
            throw new CorruptLogException(
                    unchecked, 0, FIELD, "the file " + FILE + " alone", "the file of an earlier version");
        }
        require(folder);
        Matcher text = TEXT.matcher(SmallFile.read(io, file, MAX_FILE_BYTES));
        if (!text.matches() || !vote.parse(text.group(2))) {
            throw new CorruptLogException(file, 0, FIELD, "the lines touchstone-vote 1, term and vote", "others");
        }
        term = Long.parseLong(text.group(1));
    }

    private static String text(long term, PeerId vote) {
        return "touchstone-vote 1\nterm " + term + "\nvote " + vote + "\n";
    }

    @Override
    public long getTerm() {
        return term;
    }

    @Override
    public PeerId getVotedFor() {
        return vote;
    }

    @Override
    public boolean setTerm(long newTerm) {
        return setTermAndVotedFor(newTerm, vote);
    }

    @Override
    public boolean setVotedFor(PeerId peer) {
        return setTermAndVotedFor(term, peer);
    }

    /**
     * Stores term and vote; on return they are on the device.
     *
     * @throws UncheckedIOException if they cannot be stored, after the member was told to end
     */
    @Override
    public boolean setTermAndVotedFor(long newTerm, PeerId peer) {
        try {
            SmallFile.write(io, folder.resolve(FILE), text(newTerm, peer));
        } catch (IOException e) {
            throw end(e);
        } catch (RuntimeException | Error e) {
            throw end(new IOException("term and vote cannot be stored: folder=" + folder + ": " + e, e));
        }
        term = newTerm;
        vote = peer.copy();
        return true;
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
