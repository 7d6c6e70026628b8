package dev.touchstone.queue.replicated.member;

import com.alipay.sofa.jraft.entity.PeerId;
import dev.touchstone.queue.replicated.link.FutureReply;
import dev.touchstone.queue.replicated.link.Links;
import dev.touchstone.queue.replicated.link.MemberAddress;
import dev.touchstone.queue.replicated.link.Message;
import dev.touchstone.queue.replicated.link.Message.Kind;
import dev.touchstone.queue.replicated.link.Reasons;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Requests of a member to the leader, be it another member or itself, whose answers it waits for. Each call has a time limit. */
final class LeaderRequests {
    private static final Duration READ_LIMIT = Duration.ofSeconds(10);
    private static final Duration REMOVE_LIMIT = Duration.ofSeconds(30);
    /** Time for an addition at the leader, and for its answer. */
    private static final Duration ADD_LIMIT = Addition.LIMIT.plusSeconds(20);

    private static final long CLOSED_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final Duration MAX_TRANSFER = Duration.ofDays(1);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final String member;
    private final MachineAdapter adapter;
    private final Links links;
    private final Administration administration;
    private final Duration attempt;
    private final BooleanSupplier isClosed;

    /**
     * Creates the requests of a member.
     *
     * @param attempt time for the leadership to move before a transfer is asked for again
     */
    LeaderRequests(
            String member,
            MachineAdapter adapter,
            Links links,
            Administration administration,
            Duration attempt,
            BooleanSupplier isClosed) {
        this.member = member;
        this.adapter = adapter;
        this.links = links;
        this.administration = administration;
        this.attempt = attempt;
        this.isClosed = isClosed;
    }

    List<String> members() throws IOException {
        return List.of(ask(Kind.MEMBERS, "", READ_LIMIT, "the members cannot be told")
                .text()
                .split(" "));
    }

    void add(String added) throws IOException {
        change(Kind.ADD, added, ADD_LIMIT, "member " + added + " was not added");
    }

    void remove(String removed) throws IOException {
        change(Kind.REMOVE, removed, REMOVE_LIMIT, "member " + removed + " was not removed");
    }

    /** Asks for a change; where the leader loses its leadership meanwhile, the next one tells whether the change was made. */
    private void change(Kind kind, String changed, Duration limit, String what) throws IOException {
        PeerId unused = MemberAddress.parse(changed);
        long start = System.nanoTime();
        boolean mayBeDone = false;
        while (!mayBeDone || !isDone(kind, changed)) {
            try {
                Message answer = ask(kind, changed, limit.minusNanos(System.nanoTime() - start), what);
                if (answer.kind() == Kind.DONE) {
                    return;
                }
            } catch (InterruptedIOException e) {
                throw e;
            } catch (IOException e) { // also because the earlier request is done
                if (!mayBeDone || !isDone(kind, changed)) {
                    throw e;
                }
                return;
            }
            mayBeDone = true;
        }
    }

    /** Returns whether a change of the members is known to be done; false too if no leader tells the members in time. */
    private boolean isDone(Kind kind, String changed) throws InterruptedIOException {
        try {
            return members().contains(changed) == (kind == Kind.ADD);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            return false;
        }
    }

    void transfer(@Nullable String to, Duration timeout) throws IOException {
        PeerId unusedPeer = to == null ? PeerId.ANY_PEER : MemberAddress.parse(to);
        long start = System.nanoTime();
        Duration longest = timeout.compareTo(MAX_TRANSFER) < 0 ? timeout : MAX_TRANSFER;
        Duration limit = longest.isNegative() ? Duration.ZERO : longest;
        String what = "the leadership did not move to " + (to == null ? "another member" : to);
        String from = adapter.leader();
        while (!hasMoved(from, to)) {
            Duration left = limit.minusNanos(System.nanoTime() - start);
            if (left.isNegative() || left.isZero()) {
                throw new IOException(what + " within " + Reasons.shown(timeout) + ": leader=" + adapter.leader());
            }
            if (adapter.leader() != null) { // else the leadership is on its way
                Message unused =
                        ask(Kind.TRANSFER, to == null ? "" : to, left, what); // done or not known: seen by what follows
                long asked = System.nanoTime();
                while (!hasMoved(from, to) && System.nanoTime() - asked < Math.min(attempt.toNanos(), left.toNanos())) {
                    pause(what);
                }
            }
            pause(what);
        }
    }

    private boolean hasMoved(@Nullable String from, @Nullable String to) {
        String leader = adapter.leader();
        return leader != null && (to == null ? !leader.equals(from) : leader.equals(to));
    }

    /**
     * Asks the leader until one has answered, as a member that does not lead does nothing.
     *
     * @return the answer: done, or not known whether it is done
     * @throws IOException if it is not done, or nobody answers in time
     */
    private Message ask(Kind kind, String text, Duration limit, String what) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        String reason = "no leader is known";
        while (true) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new IOException(
                        what + ": no leader answered " + member + " within " + Reasons.shown(limit) + ": " + reason);
            }
            PeerId leader = adapter.leaderPeer();
            if (leader != null) {
                Message answer = ask(leader, Message.of(kind, text), left, what);
                switch (answer.kind()) {
                    case DONE -> {
                        return answer;
                    }
                    case NOT_LEADING -> reason = "leader=" + leader + ": " + answer.text();
                    case UNKNOWN -> {
                        if (kind != Kind.MEMBERS) {
                            return answer;
                        }
                        reason = "leader=" + leader + ": " + answer.text();
                    }
                    default -> throw new IOException(what + ": leader=" + leader + ": " + answer.text());
                }
            }
            pause(what);
        }
    }

    private Message ask(PeerId leader, Message message, long nanos, String what) throws IOException {
        CompletableFuture<Message> answer = new CompletableFuture<>();
        if (leader.toString().equals(member)) {
            administration.handle(message, answer::complete);
        } else {
            int millis = (int) Math.max(1, Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(nanos)));
            links.send(leader, message, millis, new FutureReply(answer));
        }
        try {
            return await(answer, nanos);
        } catch (ExecutionException e) {
            throw new IOException(what + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(what + ": interrupted");
        }
    }

    /** Waits for the leader's answer, or until this member is closed: it may be the leader, which then answers no more. */
    private Message await(CompletableFuture<Message> answer, long nanos)
            throws ExecutionException, InterruptedException {
        long start = System.nanoTime();
        while (true) {
            long left = nanos - (System.nanoTime() - start);
            try {
                return answer.get(Math.max(0, Math.min(left, CLOSED_CHECK_NANOS)), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                if (left <= 0 || isClosed.getAsBoolean()) {
                    return Message.of(Kind.UNKNOWN, left <= 0 ? "no answer in time" : "this member is closed");
                }
            }
        }
    }

    private void pause(String what) throws IOException {
        if (isClosed.getAsBoolean()) {
            throw new IOException(what + ": member " + member + " is closed");
        }
        LockSupport.parkNanos(RETRY_NANOS);
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException(what + ": interrupted");
        }
    }
}
