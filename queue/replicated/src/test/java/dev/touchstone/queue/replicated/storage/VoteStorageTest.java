package dev.touchstone.queue.replicated.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.core.NodeImpl;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.option.RaftMetaStorageOptions;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.DiskFileIo;
import dev.touchstone.queue.replicated.link.MemberAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of term and vote. */
class VoteStorageTest {
    private static final PeerId OTHER = MemberAddress.parse("[::1]:7100");

    private static final String OWNER = "0f 10.0.0.1:7100";

    @TempDir
    Path folder;

    private final DiskFileIo io = new DiskFileIo();
    private final NodeImpl node = new NodeImpl("group", MemberAddress.parse("127.0.0.1:7100"));
    private final List<IOException> failures = new ArrayList<>();

    private boolean init(VoteStorage storage) {
        RaftMetaStorageOptions options = new RaftMetaStorageOptions();
        options.setNode(node);
        return storage.init(options);
    }

    private VoteStorage opened() {
        VoteStorage storage = new VoteStorage(io, folder, OWNER, () -> 0, failures::add);
        assertThat(init(storage)).as("%s", failures).isTrue();
        return storage;
    }

    @Test
    void set_termAndVote_areKept() throws Exception {
        VoteStorage.make(io, folder, OWNER);
        VoteStorage first = opened();
        assertThat(first.getTerm()).isZero();
        assertThat(first.getVotedFor()).isEqualTo(PeerId.emptyPeer());
        assertThat(first.setTermAndVotedFor(7, OTHER)).isTrue();
        VoteStorage.make(io, folder, OWNER);
        for (VoteStorage each : List.of(first, opened())) {
            assertThat(each.getTerm()).isEqualTo(7);
            assertThat(each.getVotedFor()).isEqualTo(OTHER);
        }
        assertThat(first.setTerm(8)).isTrue();
        assertThat(first.setVotedFor(PeerId.emptyPeer())).isTrue();
        first.shutdown();
        assertThat(opened().getTerm()).isEqualTo(8);
        assertThat(opened().getVotedFor()).isEqualTo(PeerId.emptyPeer());
    }

    @Test
    void layout_isPinned() throws Exception {
        VoteStorage.make(io, folder, OWNER);
        assertThat(opened().setTermAndVotedFor(7, OTHER)).isTrue();
        assertThat(folder.resolve(VoteStorage.FILE))
                .hasContent("touchstone-vote 2\nmember 0f 10.0.0.1:7100\nterm 7\nvote [::1]:7100\ncrc ddcb9e18\n");
    }

    @Test
    void init_anyByteIsChangedOrMissing_isRefused() throws Exception {
        VoteStorage.make(io, folder, OWNER);
        assertThat(opened().setTermAndVotedFor(7, OTHER)).isTrue();
        Path file = folder.resolve(VoteStorage.FILE);
        byte[] whole = Files.readAllBytes(file);
        List<byte[]> damaged = new ArrayList<>();
        for (int at = 0; at < whole.length; at++) {
            damaged.add(Arrays.copyOf(whole, at));
            for (int bit = 0; bit < 8; bit++) {
                byte[] changed = whole.clone();
                changed[at] ^= (byte) (1 << bit);
                damaged.add(changed);
            }
        }
        for (byte[] each : damaged) {
            Files.write(file, each);
            failures.clear();
            assertThat(init(new VoteStorage(io, folder, OWNER, () -> 0, failures::add)))
                    .isFalse();
            assertThat(failures).hasSize(1).first().isInstanceOf(CorruptLogException.class);
        }
    }

    @Test
    void init_voteOfAnotherMember_isRefused() throws Exception {
        VoteStorage.make(io, folder, "0e 10.0.0.1:7100");
        assertThat(init(new VoteStorage(io, folder, OWNER, () -> 0, failures::add)))
                .isFalse();
        assertThat(failures)
                .singleElement()
                .isInstanceOf(CorruptLogException.class)
                .asString()
                .contains(
                        "file=" + folder.resolve(VoteStorage.FILE),
                        "expected=those of member 0f 10.0.0.1:7100 got=those of member 0e 10.0.0.1:7100");
    }

    @Test
    void init_termIsBelowThatOfTheLog_isRefused() throws Exception {
        VoteStorage.make(io, folder, OWNER);
        assertThat(opened().setTermAndVotedFor(7, OTHER)).isTrue();
        assertThat(init(new VoteStorage(io, folder, OWNER, () -> 7, failures::add)))
                .isTrue();
        assertThat(init(new VoteStorage(io, folder, OWNER, () -> 8, failures::add)))
                .isFalse();
        assertThat(failures)
                .singleElement()
                .isInstanceOf(CorruptLogException.class)
                .asString()
                .contains("file=" + folder.resolve(VoteStorage.FILE), "expected=8, that of the log", "got=7");
    }

    @Test
    void raise_keepsAVoteOfTheSameTermAndForgetsOneOfAnEarlierTerm() throws Exception {
        VoteStorage.make(io, folder, OWNER);
        VoteStorage storage = opened();
        assertThat(storage.setTermAndVotedFor(7, OTHER)).isTrue();
        storage.raise(6);
        storage.raise(7);
        assertThat(opened().getTerm()).isEqualTo(7);
        assertThat(opened().getVotedFor()).isEqualTo(OTHER);
        storage.raise(8);
        for (VoteStorage each : List.of(storage, opened())) {
            assertThat(each.getTerm()).isEqualTo(8);
            assertThat(each.getVotedFor()).isEqualTo(PeerId.emptyPeer());
        }
    }

    /** The library answers with a vote whatever the storage returns. */
    @Test
    void set_cannotBeStored_throws() throws Exception {
        VoteStorage.make(io, folder, OWNER);
        VoteStorage storage = opened();
        Files.createDirectory(folder.resolve(VoteStorage.FILE + SmallFile.TEMPORARY_SUFFIX));
        Files.createFile(
                folder.resolve(VoteStorage.FILE + SmallFile.TEMPORARY_SUFFIX).resolve("a"));
        assertThatThrownBy(() -> storage.setTermAndVotedFor(7, OTHER))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(VoteStorage.FILE);
        assertThat(failures).hasSize(1);
        assertThat(storage.getTerm()).isZero();
    }
}
