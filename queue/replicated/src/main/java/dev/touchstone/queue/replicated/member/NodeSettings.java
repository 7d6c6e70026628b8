package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.JRaftServiceFactory;
import com.alipay.sofa.jraft.StateMachine;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.option.ReadOnlyOption;
import dev.touchstone.queue.replicated.link.MemberNodeOptions;
import dev.touchstone.queue.replicated.link.Reasons;
import dev.touchstone.queue.replicated.link.TlsContexts;
import dev.touchstone.queue.replication.GroupOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Settings of jraft's node (measured: ADR 31). */
final class NodeSettings {
    static final String LOG = "log";
    static final String META = "meta";
    static final String SNAPSHOT = "snapshot";

    private static final Duration MIN_ELECTION_TIMEOUT = Duration.ofMillis(50);
    private static final Duration MAX_ELECTION_TIMEOUT = Duration.ofMinutes(10);
    private static final int ELECTION_SPREAD_MILLIS = 300;

    /**
     * Most requests with entries that are on their way to a member, each of up to 512 KiB or one entry. More of them would wait in front of the
     * heartbeats of a member that is slow, or was stopped, be sent again when they have timed out, and take memory: jraft keeps a buffer for each. Entries that
     * come meanwhile share the next request.
     */
    private static final int MAX_REQUESTS_UNDER_WAY = 8;

    /** Bytes of entries from which a member writes them to the log, with one force: those of several requests for one that catches up. */
    private static final int APPEND_BYTES = 2 << 20;

    /** Entries that an added member may still lack when it begins to vote: few, and yet more than are always on their way to it in a busy group. */
    private static final int CATCH_UP_MARGIN = 64;

    private NodeSettings() {}

    /** Returns the settings of a member's node. */
    static MemberNodeOptions of(
            GroupOptions options,
            StateMachine machine,
            JRaftServiceFactory storages,
            @Nullable TlsContexts tls,
            Supplier<String> group) {
        int electionMillis = (int) options.electionTimeout().toMillis();
        MemberNodeOptions node = new MemberNodeOptions(tls, group);
        node.setElectionTimeoutMs(electionMillis);
        node.setRpcConnectTimeoutMs(electionMillis); // an election waits for it, with the node's lock
        node.setDisableCli(true);
        node.setSnapshotIntervalSecs(0); // taken when the owner of the group asks for it
        node.setSnapshotLogIndexMargin(1);
        node.setCatchupMargin(CATCH_UP_MARGIN);
        node.setFsm(machine);
        Path folder = options.folder();
        node.setLogUri(log(options).toString());
        node.setRaftMetaUri(vote(options).toString());
        node.setSnapshotUri(folder.resolve(SNAPSHOT).toString());
        node.setServiceFactory(storages);
        RaftOptions raft = node.getRaftOptions();
        raft.setSync(true);
        raft.setReadOnlyOptions(ReadOnlyOption.ReadOnlySafe);
        raft.setMaxElectionDelayMs(ELECTION_SPREAD_MILLIS);
        raft.setMaxReplicatorInflightMsgs(MAX_REQUESTS_UNDER_WAY);
        raft.setMaxAppendBufferSize(APPEND_BYTES);
        return node;
    }

    /** Returns the folder of a member's log. */
    static Path log(GroupOptions options) {
        return options.folder().resolve(LOG);
    }

    /** Returns the folder of a member's term and vote. */
    static Path vote(GroupOptions options) {
        return options.folder().resolve(META);
    }

    /** Returns the folder of a member's snapshots. */
    static Path snapshots(GroupOptions options) {
        return options.folder().resolve(SNAPSHOT);
    }

    /**
     * Checks the options that become settings.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    static void check(GroupOptions options) {
        Duration timeout = options.electionTimeout();
        if (timeout.compareTo(MIN_ELECTION_TIMEOUT) < 0 || timeout.compareTo(MAX_ELECTION_TIMEOUT) > 0) {
            throw new IllegalArgumentException("electionTimeout=" + Reasons.shown(timeout) + ": expected "
                    + Reasons.shown(MIN_ELECTION_TIMEOUT) + " to " + Reasons.shown(MAX_ELECTION_TIMEOUT));
        }
    }
}
