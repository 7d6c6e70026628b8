package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.core.State;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.rpc.RaftServerService;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.replicated.link.FutureReply;
import dev.touchstone.queue.replicated.link.LeaderNews;
import dev.touchstone.queue.replicated.link.Links;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices by which followers learn soon what is committed. By itself jraft tells them with the next entries or the next heartbeat, up to a tenth of the
 * election timeout later, for which each call of a follower would wait. Thread-safe.
 */
final class CommitNotices {
    /*
     * Who calls:   the applying thread of a leader, and on a follower the threads that read connections. Neither they nor the timer may wait for the node's
     *              lock, which an election holds for a while: threads of the executor do.
     * Safety:      a notice says of an entry of the leader's own term that the leader has applied it. It is given to jraft as a heartbeat of that
     *              leader, for which jraft checks the term, the leader, and that the entry is in its log.
     * Load:        while entries follow each other, their requests carry the commit index, and no notice is sent, but for the answer to a follower that
     *              has proposed an entry.
     */
    private static final System.Logger LOG = System.getLogger(CommitNotices.class.getName());
    private static final long SEND_MICROS = 500;
    private static final long RETRY_MILLIS = 1;
    private static final int MAX_RETRIES = 100;
    private static final int ANSWER_MILLIS = 2_000;

    private final String group;
    private final Supplier<String> groupId;
    private final PeerId own;
    private final Node node;
    private final MachineAdapter adapter;
    private final Links links;
    private final Executor executor;
    private final ScheduledExecutorService timer;
    private final AtomicBoolean isSendDue = new AtomicBoolean();

    @GuardedBy("this")
    private @Nullable CommitNotice newest;

    @GuardedBy("this")
    private int retries;

    @GuardedBy("this")
    private boolean isTakeDue;

    /**
     * Creates the notices of a member.
     *
     * @param group name of the group in messages of jraft
     * @param groupId returns the id of the member's group, empty for none
     * @param executor runs what waits for the node's lock
     * @param timer runs what is due later
     */
    CommitNotices(
            String group,
            Supplier<String> groupId,
            PeerId own,
            Node node,
            MachineAdapter adapter,
            Links links,
            Executor executor,
            ScheduledExecutorService timer) {
        this.group = group;
        this.groupId = groupId;
        this.own = own;
        this.node = node;
        this.adapter = adapter;
        this.links = links;
        this.executor = executor;
        this.timer = timer;
    }

    /** Tells the followers soon, unless requests with further entries do. To be called after this member has applied entries of its own term. */
    void applied() {
        if (isSendDue.compareAndSet(false, true)) {
            later(this::sendUnlessEntriesFollow, SEND_MICROS);
        }
    }

    private void sendUnlessEntriesFollow() {
        isSendDue.set(false);
        CommitNotice notice = adapter.committed();
        if (notice != null && node.getLastLogIndex() <= notice.index()) {
            executor.execute(() -> send(notice));
        }
    }

    private void send(CommitNotice notice) {
        List<PeerId> members;
        try {
            members = node.listPeers();
        } catch (IllegalStateException e) { // this member does not lead any more
            return;
        }
        Message message = Message.of(Kind.COMMITTED, notice.text());
        for (PeerId peer : members) {
            if (!peer.equals(own)) {
                links.send(peer, message, ANSWER_MILLIS, new FutureReply(new CompletableFuture<>()));
            }
        }
    }

    /**
     * Passes on to jraft what a leader of this group says is committed, as the text of a {@link CommitNotice}; an empty text says nothing. Does not wait.
     */
    void take(Message message) {
        if (message.text().isEmpty() || !message.group().equals(groupId.get())) {
            return;
        }
        CommitNotice notice = CommitNotice.parse(message.text());
        adapter.hear(new LeaderNews(notice.leader().toString(), notice.term(), notice.index()));
        synchronized (this) {
            CommitNotice before = newest;
            if (before != null && !notice.isAfter(before)) {
                return;
            }
            newest = notice;
            retries = MAX_RETRIES;
            if (isTakeDue) {
                return;
            }
            isTakeDue = true;
        }
        try {
            executor.execute(this::takeNewest);
        } catch (RejectedExecutionException e) { // the member is closed
        }
    }

    private void takeNewest() {
        CommitNotice notice;
        synchronized (this) {
            isTakeDue = false;
            notice = newest;
        }
        if (notice != null && node.getNodeState() == State.STATE_FOLLOWER) {
            try {
                advance(notice);
            } catch (IllegalStateException e) { // the node shuts down meanwhile
                LOG.log(System.Logger.Level.DEBUG, "a commit notice is passed", e);
            }
        }
    }

    private void advance(CommitNotice notice) {
        if (node.getLastCommittedIndex() >= notice.index()) {
            return;
        }
        if (node.getLastLogIndex() >= notice.index()) {
            Object unused = ((RaftServerService) node).handleAppendEntriesRequest(notice.heartbeat(group, own), null);
        } else {
            takeLater();
        }
    }

    /** Tries again soon, as the entry is still on its way: a majority has had it before this member. */
    private void takeLater() {
        synchronized (this) {
            if (isTakeDue || retries == 0) {
                return;
            }
            isTakeDue = true;
            retries--;
        }
        later(() -> executor.execute(this::takeNewest), TimeUnit.MILLISECONDS.toMicros(RETRY_MILLIS));
    }

    private void later(Runnable task, long micros) {
        try {
            var unused = timer.schedule(task, micros, TimeUnit.MICROSECONDS);
        } catch (RejectedExecutionException e) { // the member is closed
        }
    }
}
