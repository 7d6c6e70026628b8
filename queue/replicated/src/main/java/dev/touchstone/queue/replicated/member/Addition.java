package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.rpc.RaftServerService;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import dev.touchstone.queue.replicated.link.Links;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import dev.touchstone.queue.replicated.link.Reasons;
import dev.touchstone.queue.replicated.link.Reply;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The leader's addition of one member: asks it whether it can be added, has jraft add it, and tells the outcome within a limit. Thread-safe. */
final class Addition implements Reply {
    /*
     * Who calls:   threads of the executor, as jraft's node waits for its lock; the answers come by bolt's threads.
     * Invariants:  the outcome is told once. jraft changes the members only after the member has answered that it can be added: jraft itself
     *              connects to a member with the node's lock, and does not see that a member is of another group. A member is asked only
     *              while a majority confirms that the group is without it: by its answer a member with an empty folder begins to vote and to
     *              store, and one that the group counts on may have lost what it has confirmed. Its id is a committed entry before jraft changes the
     *              members: if it loses its folder at once, the group knows that the next one is another.
     * Entries:     jraft takes a member to have caught up when it answers a request of its log. Where the answer to the first one came before
     *              jraft began to wait for it, no other comes until the group has a new entry: this proposes some while jraft waits.
     * Failure:     jraft waits without limit for a member that answers heartbeats, and refuses every other change meanwhile. The one way out
     *              of it that jraft has is the end of the leadership: at the limit this one is ended.
     */
    /** Time for an addition, as a snapshot may have to be copied to the member. */
    static final Duration LIMIT = Duration.ofMinutes(5);

    private static final System.Logger LOG = System.getLogger(Addition.class.getName());
    private static final int MAX_CATCH_UPS = 20;
    private static final int ANSWER_MILLIS = 2_000;
    private static final Duration REACH_LIMIT = Duration.ofSeconds(10);
    private static final long RETRY_MILLIS = 200;
    private static final long ENTRY_MILLIS = 500;

    private final Node node;
    private final PeerId added;
    private final Message question;
    private final Settings settings;
    private final AtomicReference<@Nullable Consumer<Message>> reply;
    private final long startNanos = System.nanoTime();
    private volatile @Nullable Future<?> timeout;
    private volatile @Nullable Future<?> proposing;
    private volatile boolean isChanging;

    /**
     * Parts of the leader that its additions share.
     *
     * @param links connections to the other members
     * @param leadingTerm term of this member's leadership, 0 if it does not lead
     * @param absence finds out whether the group is without a member
     * @param announcement makes the id of a member known to the group; must not block
     * @param proposal proposes an entry that changes nothing; does not wait
     * @param limit time until the outcome of an addition is told
     * @param executor runs what waits for the node's lock
     * @param timer runs what does not wait
     */
    record Settings(
            Links links,
            LongSupplier leadingTerm,
            Absence absence,
            BiConsumer<Identity, Consumer<Message>> announcement,
            Runnable proposal,
            Duration limit,
            Executor executor,
            ScheduledExecutorService timer) {}

    /** Finds out whether the group is without a member. */
    interface Absence {
        /**
         * Begins to find it out; may wait for the node's lock.
         *
         * @param told told once: done if the group is without it, not done if it is not, that this member does not lead, or that it cannot be told yet; must not block
         */
        void confirm(PeerId member, Consumer<Message> told);
    }

    /**
     * Creates an addition.
     *
     * @param question asked of the member before it is added
     * @param reply told the outcome
     */
    Addition(Node node, PeerId added, Message question, Settings settings, Consumer<Message> reply) {
        this.node = node;
        this.added = added;
        this.question = question;
        this.settings = settings;
        this.reply = new AtomicReference<>(reply);
    }

    /** Begins; the outcome is told later. */
    void begin() {
        try {
            timeout = settings.timer()
                    .schedule(() -> run(this::expire), settings.limit().toNanos(), TimeUnit.NANOSECONDS);
            ask();
        } catch (RejectedExecutionException e) {
            tellClosed();
        }
    }

    private void ask() {
        settings.absence().confirm(added, this::ask);
    }

    private void ask(Message absence) {
        switch (absence.kind()) {
            case DONE -> settings.links().send(added, question, ANSWER_MILLIS, this);
            case NOT_DONE, NOT_LEADING -> tellOnce(absence.kind(), absence.text());
            default -> askAgain(absence.text());
        }
    }

    @Override
    public void answered(Message answer) {
        switch (answer.kind()) {
            case DONE -> announce(answer.text());
            case NOT_DONE -> tellOnce(Kind.NOT_DONE, answer.text());
            default -> askAgain(answer.text());
        }
    }

    private void announce(String identity) {
        try {
            settings.announcement().accept(Identity.parse(identity), this::announced);
        } catch (IllegalArgumentException e) {
            tellOnce(Kind.NOT_DONE, "its answer does not tell its id: " + e.getMessage());
        }
    }

    private void announced(Message answer) {
        if (answer.kind() == Kind.DONE) {
            run(this::change);
        } else {
            askAgain("its id is not known to the group: " + answer.text());
        }
    }

    @Override
    public void notSent(String reason) {
        askAgain(reason);
    }

    @Override
    public void lost(String reason) {
        askAgain("no answer: " + reason);
    }

    /** Asks again after a while, as the member may have been started just now. */
    private void askAgain(String reason) {
        if (System.nanoTime() - startNanos > REACH_LIMIT.toNanos()) {
            tellOnce(Kind.NOT_DONE, "the leader cannot ask it: " + reason);
            return;
        }
        try {
            var unused = settings.timer().schedule(() -> run(this::ask), RETRY_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            tellClosed();
        }
    }

    private void change() {
        try {
            proposing = settings.timer()
                    .scheduleWithFixedDelay(this::propose, ENTRY_MILLIS, ENTRY_MILLIS, TimeUnit.MILLISECONDS);
            change(MAX_CATCH_UPS);
        } catch (RejectedExecutionException e) {
            tellClosed();
        }
    }

    private void propose() {
        if (isChanging) {
            settings.proposal().run();
        }
        if (reply.get() == null) { // told when proposing was not set yet
            cancel(proposing);
        }
    }

    /** Has jraft add the member; again where it did not get the entries within an election's time, as one that was only just started may not. */
    private void change(int attempts) {
        if (reply.get() == null) {
            return; // too late
        }
        isChanging = true;
        try {
            node.addPeer(added, status -> changed(status, attempts));
        } catch (IllegalArgumentException e) { // jraft refuses
            isChanging = false;
            tellOnce(Kind.NOT_DONE, String.valueOf(e.getMessage()));
        }
    }

    private void changed(Status status, int attempts) {
        isChanging = false;
        if (status.getRaftError() == RaftError.ECATCHUP && attempts > 1) {
            run(() -> change(attempts - 1));
        } else {
            Message outcome = Administration.answer(status);
            tellOnce(outcome.kind(), outcome.text());
        }
    }

    /** Tells at the limit that the member was not added, and frees the group of a change that jraft has not ended. */
    private void expire() {
        boolean isUnended = isChanging;
        if (tell(Kind.NOT_DONE, "it did not get the entries of the group within " + Reasons.shown(settings.limit()))
                && isUnended) {
            endLeadership();
        }
    }

    private void endLeadership() {
        long term = settings.leadingTerm().getAsLong();
        if (term == 0) {
            return;
        }
        LOG.log(
                System.Logger.Level.WARNING,
                "the leadership of term " + term + " is ended, as member " + added + " could not be added within "
                        + Reasons.shown(settings.limit()) + " and jraft refuses other changes until then");
        RequestVoteRequest higherTerm = RequestVoteRequest.newBuilder()
                .setGroupId(node.getGroupId())
                .setServerId(added.toString())
                .setPeerId(node.getNodeId().getPeerId().toString())
                .setTerm(term + 1)
                .setLastLogTerm(0) // behind every log: no vote is given
                .setLastLogIndex(0)
                .setPreVote(false)
                .build();
        var unused = ((RaftServerService) node).handleRequestVoteRequest(higherTerm);
    }

    private void run(Runnable task) {
        try {
            settings.executor().execute(task);
        } catch (RejectedExecutionException e) {
            tellClosed();
        }
    }

    private void tellClosed() {
        tellOnce(Kind.UNKNOWN, "the leader is closed");
    }

    private void tellOnce(Kind kind, String text) {
        boolean unused = tell(kind, text);
    }

    /** Tells the outcome, unless it was told; returns whether this has told it. */
    private boolean tell(Kind kind, String text) {
        Consumer<Message> told = reply.getAndSet(null);
        if (told == null) {
            return false;
        }
        cancel(timeout);
        cancel(proposing);
        told.accept(Message.of(kind, kind == Kind.DONE ? "" : "member " + added + ": " + text));
        return true;
    }

    private static void cancel(@Nullable Future<?> task) {
        if (task != null) {
            boolean unused = task.cancel(false);
        }
    }
}
