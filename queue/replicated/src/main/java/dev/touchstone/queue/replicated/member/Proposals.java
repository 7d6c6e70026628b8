package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.Task;
import dev.touchstone.queue.replicated.link.Links;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import dev.touchstone.queue.replicated.link.Reply;
import dev.touchstone.queue.replication.CallerStack;
import dev.touchstone.queue.replication.NotProposedException;
import dev.touchstone.queue.replication.ReplicatedMachine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Entries on their way into the log: to jraft where this member leads, else to the leader. Thread-safe; no method waits. */
final class Proposals {
    /*
     * Invariants:  an entry is stamped by the leader that proposes it, and is in the log in that leadership only: the task carries its term.
     *              The leader's answer to another member says what is committed, so that the entry is applied there before the next heartbeat.
     * Failure:     a caller with too little stack fails before jraft is called: a lock of jraft's ring that it took would never be given back.
     */
    private static final int FORWARD_MILLIS = 10_000;
    private static final long FOREVER_NANOS = Long.MAX_VALUE / 2;

    private final String member;
    private final Node node;
    private final ReplicatedMachine machine;
    private final MachineAdapter adapter;
    private final Links links;
    private final PendingRequests pending;
    private final CommitNotices notices;
    private final BooleanSupplier isClosed;

    Proposals(
            String member,
            Node node,
            ReplicatedMachine machine,
            MachineAdapter adapter,
            Links links,
            PendingRequests pending,
            CommitNotices notices,
            BooleanSupplier isClosed) {
        this.member = member;
        this.node = node;
        this.machine = machine;
        this.adapter = adapter;
        this.links = links;
        this.pending = pending;
        this.notices = notices;
        this.isClosed = isClosed;
    }

    /** Proposes an entry of the machine, here or at the leader; see {@link dev.touchstone.queue.replication.ReplicationGroup#propose}. */
    void propose(byte[] entry, Consumer<@Nullable Throwable> done) {
        CallerStack.require();
        if (isClosed.getAsBoolean()) { // before close() ends, with an unknown outcome, what is pending
            done.accept(notProposed(Outcomes.ended(adapter.failure())));
            return;
        }
        boolean here = adapter.leadingTerm() != 0;
        Pending request = pending.add(
                done,
                this::failureOfProposal,
                System.nanoTime() + (here ? FOREVER_NANOS : TimeUnit.MILLISECONDS.toNanos(2L * FORWARD_MILLIS)));
        if (isClosed.getAsBoolean()) {
            request.tell(notProposed(Outcomes.ended(adapter.failure())));
        } else if (here) {
            proposeHere(entry, request);
        } else {
            forward(entry, request);
        }
    }

    /** Proposes an entry of the machine that another member has sent. */
    void proposeOther(byte[] entry, Consumer<Message> reply) {
        proposeHere(entry, answering(reply));
    }

    /** Proposes an entry that is not the machine's, if this member leads. */
    void proposeOwn(ByteBuffer data, Consumer<Message> reply) {
        long term = adapter.leadingTerm();
        if (term == 0) {
            reply.accept(Message.of(Kind.NOT_LEADING, "this member does not lead"));
        } else {
            apply(data, answering(reply), term);
        }
    }

    private Pending answering(Consumer<Message> reply) {
        return pending.add(
                failure -> reply.accept(answer(failure)), this::failureOfProposal, System.nanoTime() + FOREVER_NANOS);
    }

    private Message answer(@Nullable Throwable failure) {
        if (failure == null) {
            CommitNotice committed = adapter.committed();
            return Message.of(Kind.DONE, committed == null ? "" : committed.text());
        }
        Kind kind = failure instanceof NotProposedException ? Kind.NOT_DONE : Kind.UNKNOWN;
        return Message.of(kind, String.valueOf(failure.getMessage()));
    }

    private void proposeHere(byte[] entry, Pending request) {
        long term = adapter.leadingTerm();
        if (term == 0) {
            request.tell(notProposed("this member does not lead"));
            return;
        }
        boolean isEntry;
        try {
            isEntry = machine.stamp(entry);
        } catch (RuntimeException e) {
            request.tell(notProposed("the leader could not stamp the entry: " + e));
            return;
        }
        if (isEntry) {
            apply(EntryFormat.machine(entry), request, term);
        } else {
            request.tell(notProposed(
                    "the leader refuses the entry, whose bytes are none of the machine's: bytes=" + entry.length));
        }
    }

    private void apply(ByteBuffer data, Pending request, long term) {
        try {
            node.apply(new Task(data, request, term));
        } catch (IllegalStateException e) { // the node shuts down: jraft has not taken the task
            request.tell(notProposed(Outcomes.ended(adapter.failure())));
        }
    }

    private void forward(byte[] entry, Pending request) {
        PeerId leader = adapter.leaderPeer();
        if (leader == null || leader.toString().equals(member)) {
            request.tell(notProposed("no leader is known"));
            return;
        }
        links.send(leader, Message.of(Kind.PROPOSE, entry), FORWARD_MILLIS, new Reply() {
            @Override
            public void answered(Message answer) {
                switch (answer.kind()) {
                    case DONE -> {
                        request.tell(null);
                        notices.take(answer);
                    }
                    case NOT_DONE, NOT_LEADING -> request.tell(new NotProposedException(answer.text()));
                    default -> request.tell(new IOException(answer.text()));
                }
            }

            @Override
            public void notSent(String reason) {
                request.tell(notProposed(reason));
            }

            @Override
            public void lost(String reason) {
                request.tell(new IOException(
                        "the outcome of the entry is not known: no answer of the leader, " + leader + ": " + reason));
            }
        });
    }

    private IOException failureOfProposal(Status status) {
        return Outcomes.ofProposal(status, member, adapter.leader(), adapter.failure());
    }

    private NotProposedException notProposed(String reason) {
        return Outcomes.notProposed(reason, member, adapter.leader());
    }
}
