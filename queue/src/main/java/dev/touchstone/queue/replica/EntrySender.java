package dev.touchstone.queue.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.LogClosedException;
import dev.touchstone.queue.log.LogFailedException;
import dev.touchstone.queue.log.LogRefusedException;
import dev.touchstone.queue.replication.CallerStack;
import dev.touchstone.queue.replication.ReplicationGroup;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Sends the commands of one member's callers to the leader, those together that come while others are on their way. Thread-safe. */
final class EntrySender implements Closeable {
    /*
     * Who calls:      callers submit and wait; the thread that applies entries resolves this member's own; the engine tells of failures.
     * Lock:           this monitor, held while an entry is proposed, which does not block, so that entries go out in the order of their numbers.
     * Invariants:     unresolved holds the entries that were proposed at least once and not applied here, in the order of their numbers. An
     *                 entry is applied by its number, so it may be proposed any number of times; one that follows a lost one is passed by
     *                 all members, and proposed again behind it.
     * Gathering:      callers that were answered together call again together. So the first of them waits until as many commands are there as
     *                 the last entry had, but for half of the time that an entry takes at most, and more commands share an entry's cost. It does
     *                 not wait if the last entry had one command, or if it goes on without its answer: the next commands may be its own. It
     *                 may get no processor for a while, so check() ends its wait as well. The caller that brings the last of these commands
     *                 does not end it: until the waiting one looks, more commands come, and only so can entries grow.
     * Fairness:       an entry holds up to MAX_BYTES of commands, or one larger one, so that small commands wait for few large ones; of large
     *                 entries fewer are on their way.
     * Failure:        a proposal that fails stops others until all answers are there, or there is another leadership, as one that is silent
     *                 does not answer; then all unresolved entries are proposed again. Answers to earlier proposals say nothing any more.
     *                 An Error may leave each of these methods, as a caller may have no memory or stack left. So what can fail comes before
     *                 fields are set, fields are set without calls where that must not fail, and check() does what was left undone. The caller of
     *                 a command that waits to be sent gets no such Error: it would take the command for one that is not done.
     */
    private static final String CLOSED = "the queue was closed";
    private static final int WINDOW = 4;
    private static final int MAX_COMMANDS = 512;

    /** Bytes of commands in an entry, unless it has one command only. */
    static final int MAX_BYTES = 512 << 10;

    /** Bytes of entries on their way from which no other is sent. */
    private static final int MAX_SENT_BYTES = WINDOW * MAX_BYTES;

    private static final int MAX_OPEN_BYTES = 4 << 20;
    private static final int MAX_OPEN_COMMANDS = 16 * MAX_COMMANDS;
    private static final int MIN_GATHERED = 2;
    private static final int GATHER_SHARE = 2;
    private static final int WEIGHT = 8;
    private static final long MAX_GATHER_NANOS = 500_000;
    private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long RETRY_MILLIS = 5;
    private static final long MAX_RETRY_MILLIS = 100;

    private final CallSettings settings;
    private final ScheduledExecutorService timer;
    private final long answerNanos;

    @GuardedBy("this")
    private List<Command> open = new ArrayList<>();

    @GuardedBy("this")
    private long openBytes;

    @GuardedBy("this")
    private final Deque<Entry> unresolved = new ArrayDeque<>();

    @GuardedBy("this")
    private long unresolvedBytes;

    @GuardedBy("this")
    private int answersDue; // to proposals of this round

    @GuardedBy("this")
    private long round;

    @GuardedBy("this")
    private long roundTerm;

    @GuardedBy("this")
    private boolean broken;

    @GuardedBy("this")
    private boolean retryDue;

    @GuardedBy("this")
    private long retryMillis = RETRY_MILLIS;

    private volatile @Nullable Gathering gathering; // written with the lock held, as is openCount
    private volatile int openCount;

    @GuardedBy("this")
    private int lastSize;

    @GuardedBy("this")
    private long entryNanos; // from sending an entry until it is applied here, weighted average

    @GuardedBy("this")
    private long session = newSession();

    @GuardedBy("this")
    private long lastNumber;

    @GuardedBy("this")
    private @Nullable ReplicationGroup group;

    @GuardedBy("this")
    private @Nullable Command last;

    @GuardedBy("this")
    private @Nullable IOException ended;

    /**
     * Creates a sender that holds back everything until it is {@linkplain #start started}.
     *
     * @param settings those of this member
     * @param timer runs what is to be tried again
     * @param answerNanos longest time that a caller waits
     */
    EntrySender(CallSettings settings, ScheduledExecutorService timer, long answerNanos) {
        this.settings = settings;
        this.timer = timer;
        this.answerNanos = answerNanos;
    }

    private static long newSession() {
        return ThreadLocalRandom.current().nextLong();
    }

    /** Begins to send. */
    synchronized void start(ReplicationGroup newGroup) {
        group = newGroup;
        sendOpen();
    }

    /**
     * Returns what a command leads to, once this member has applied it.
     *
     * @throws LogRefusedException if it was not sent, as without a leader
     * @throws UnknownOutcomeException if it was sent, and it is not known whether it will be applied
     */
    @Nullable
    Object call(Command command) throws IOException {
        return call(command, answerNanos);
    }

    /** Calls a command as the last one, behind all that wait now or are on their way; others are refused from then on. */
    void callLast(Command command, long waitNanos) throws IOException {
        synchronized (this) {
            last = command;
            notifyAll();
        }
        Object unused = call(command, waitNanos);
    }

    private @Nullable Object call(Command command, long waitNanos) throws IOException {
        command.waits();
        long deadline = System.nanoTime() + waitNanos;
        boolean interrupted = false;
        try {
            submit(command, deadline);
            long left = deadline - System.nanoTime();
            while (!command.isDone() && left > 0) {
                LockSupport.parkNanos(this, Math.min(left, RECHECK_NANOS));
                interrupted |= Thread.interrupted();
                left = deadline - System.nanoTime();
            }
            if (!command.isDone()) {
                giveUp(command);
            }
        } finally {
            command.waitsNoMore();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        Throwable failure = command.failure();
        if (failure instanceof IOException io) {
            throw io;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
        return command.result();
    }

    /** Gives a command to the next entry; waits while too many wait already. A caller with too little stack is refused, and has changed nothing. */
    void submit(Command command, long deadlineNanos) throws IOException {
        CallerStack.require();
        boolean waits = false;
        try {
            Gathering mine;
            synchronized (this) {
                awaitRoom(deadlineNanos);
                if (last != null && !command.equals(last)) {
                    throw new LogClosedException(CLOSED);
                }
                int bytes = command.bytes().length;
                waits = open.add(command);
                openBytes += bytes;
                openCount = open.size();
                mine = gatherOrSend(command);
            }
            if (mine != null) {
                await(mine);
            }
        } catch (VirtualMachineError e) {
            if (!waits) {
                throw e;
            } // else check() does what was left undone
        }
    }

    /** Begins to wait for other commands where that pays, else sends those that wait; returns null then, and if another caller waits already. */
    @GuardedBy("this")
    private @Nullable Gathering gatherOrSend(Command command) {
        if (gathering != null) {
            return null;
        }
        Gathering mine = command.waiting() != null && lastSize >= MIN_GATHERED && maySend() ? newGathering() : null;
        gathering = mine;
        if (mine == null) {
            sendOpen();
        }
        return mine;
    }

    private void await(Gathering mine) {
        while (openCount < mine.expected && mine == gathering && !mine.isOver()) {
            Thread.yield();
        }
        synchronized (this) {
            if (mine == gathering) {
                gathering = null;
                sendOpen();
            }
        }
    }

    @GuardedBy("this")
    private Gathering newGathering() {
        return new Gathering(lastSize, System.nanoTime() + Math.min(MAX_GATHER_NANOS, entryNanos / GATHER_SHARE));
    }

    @GuardedBy("this")
    private void awaitRoom(long deadlineNanos) throws IOException {
        boolean interrupted = false;
        try {
            while (ended == null && last == null && (openBytes > MAX_OPEN_BYTES || open.size() >= MAX_OPEN_COMMANDS)) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
                if (left <= 0) {
                    throw noAnswer();
                }
                try {
                    wait(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        checkOpen();
    }

    /** Throws what has ended this member, if anything has. */
    synchronized void checkOpen() throws IOException {
        if (ended != null) {
            throw ended instanceof LogClosedException closed ? closed : new LogFailedException(ended);
        }
    }

    @GuardedBy("this")
    private boolean maySend() {
        return group != null
                && !broken
                && unresolved.size() < WINDOW
                && unresolvedBytes < MAX_SENT_BYTES
                && group.leader() != null;
    }

    /** Sends the commands that wait, as far as entries may be on their way. */
    @GuardedBy("this")
    private void sendOpen() {
        while (!open.isEmpty() && maySend()) {
            Entry entry = seal();
            boolean proposed = false;
            try {
                propose(entry);
                proposed = true;
            } finally {
                broken |= !proposed;
            }
        }
        if (!open.isEmpty() && !broken && unresolved.isEmpty()) {
            retryLater(); // nothing else will look again
        }
        notifyAll();
    }

    /** Makes the next entry of commands that wait. */
    @GuardedBy("this")
    private Entry seal() {
        int count = 0;
        long bytes = 0;
        while (count < Math.min(open.size(), MAX_COMMANDS)
                && (count == 0 || bytes + open.get(count).bytes().length <= MAX_BYTES)) {
            bytes += open.get(count++).bytes().length;
        }
        boolean isAll = count == open.size();
        List<Command> rest = isAll ? new ArrayList<>() : new ArrayList<>(open.subList(count, open.size()));
        Entry entry = new Entry(settings, session, lastNumber + 1, isAll ? open : List.copyOf(open.subList(0, count)));
        int length = entry.bytes().length;
        int left = rest.size();
        unresolved.add(entry);
        unresolvedBytes += length; // nothing fails from here on
        lastNumber++;
        lastSize = count;
        open = rest;
        openBytes -= bytes;
        openCount = left;
        return entry;
    }

    @GuardedBy("this")
    private void propose(Entry entry) {
        ReplicationGroup to = Objects.requireNonNull(group);
        if (answersDue == 0) {
            roundTerm = to.term();
        }
        long ofRound = round;
        boolean proposed = false;
        answersDue++;
        try {
            to.propose(entry.bytes(), failure -> answered(ofRound, failure != null));
            proposed = true;
        } finally {
            if (!proposed) {
                round++;
                answersDue = 0;
                broken = true;
            }
        }
    }

    private synchronized void answered(long ofRound, boolean failed) {
        if (ofRound != round) {
            return;
        }
        answersDue--;
        broken |= failed;
        retryBroken();
    }

    /** Proposes again what was proposed in an earlier leadership and not answered, and sends what a failed caller has left; to be called now and then. */
    void check() {
        try {
            synchronized (this) {
                if (answersDue > 0 && group != null && group.leader() != null && group.term() != roundTerm) {
                    round++;
                    answersDue = 0;
                    broken = true;
                }
                retryBroken();
                Gathering of = gathering;
                if (of == null || of.isOver()) {
                    gathering = null;
                    sendOpen();
                }
            }
        } catch (OutOfMemoryError e) {
            // the next check tries again
        }
    }

    @GuardedBy("this")
    private void retryBroken() {
        if (broken && answersDue == 0) {
            retryLater();
        }
    }

    @GuardedBy("this")
    private void retryLater() {
        if (!retryDue && ended == null) {
            var unused = timer.schedule(this::retry, retryMillis, TimeUnit.MILLISECONDS);
            retryDue = true;
        }
    }

    private synchronized void retry() {
        retryDue = false;
        if (ended != null || group == null) {
            return;
        }
        if (group.leader() == null) {
            retryMillis = Math.min(2 * retryMillis, MAX_RETRY_MILLIS);
            retryLater();
        } else {
            retryMillis = RETRY_MILLIS;
            if (broken && answersDue == 0) {
                boolean proposed = false;
                broken = false;
                try {
                    unresolved.forEach(this::propose);
                    proposed = true;
                } finally {
                    broken |= !proposed;
                }
            }
            sendOpen();
        }
    }

    /** Has a snapshot made, unless this member is only just starting. */
    void snapshot() {
        ReplicationGroup started;
        synchronized (this) {
            started = group;
        }
        if (started != null) {
            started.snapshot();
        }
    }

    /** Returns this member's own entry that is applied now; null if it is another's, or its callers were answered already. */
    synchronized @Nullable Entry applied(long ofSession, long number) {
        if (ofSession != session) {
            return null;
        }
        Entry entry = unresolved.peek();
        if (entry == null || entry.number() != number) {
            return null;
        }
        return entry;
    }

    /** Ends the commands of an entry that was applied, and sends others. */
    void resolved(Entry entry) {
        synchronized (this) {
            if (unresolved.remove(entry)) { // else this member has ended meanwhile
                unresolvedBytes -= entry.bytes().length;
                entryNanos += (System.nanoTime() - entry.sentNanos() - entryNanos) / WEIGHT;
            }
            sendOpen();
        }
        entry.end();
    }

    /**
     * Tells that an entry was passed, because the one before it was not applied.
     *
     * @param known whether the members know the session; they forget it when they have seen too many others since
     */
    void passed(long ofSession, boolean known) {
        synchronized (this) {
            if (ofSession != session) {
                return;
            }
            if (known || (!unresolved.isEmpty() && unresolved.element().number() == 1)) {
                broken = true;
                retryBroken();
                return;
            }
        }
        forgotten(ofSession);
    }

    /** Begins another session, since the members do not know this one any more. */
    private void forgotten(long ofSession) {
        List<Entry> lost;
        synchronized (this) {
            if (ofSession != session) {
                return;
            }
            lost = List.copyOf(unresolved);
            unresolved.clear();
            unresolvedBytes = 0;
            session = newSession();
            lastNumber = 0;
            sendOpen();
        }
        lost.forEach(entry -> endUnknown(entry, "the others have seen too many members since its last call"));
    }

    /**
     * Tells that a snapshot has taken the place of entries that this member did not see.
     *
     * @param known the number of the last entry of each session, 0 for a session that the snapshot does not know
     */
    void loaded(LongUnaryOperator known) {
        List<Entry> lost = new ArrayList<>();
        long mine;
        synchronized (this) {
            mine = session;
            long last = known.applyAsLong(mine);
            while (!unresolved.isEmpty() && unresolved.element().number() <= last) {
                Entry passed = unresolved.remove();
                unresolvedBytes -= passed.bytes().length;
                lost.add(passed);
            }
            if (last > 0 || lastNumber == 0) {
                mine = 0;
                sendOpen();
            }
        }
        lost.forEach(entry -> endUnknown(entry, "it was far behind the others, and was given a snapshot"));
        if (mine != 0) {
            passed(mine, false);
        }
    }

    private static void endUnknown(Entry entry, String reason) {
        for (Command command : entry.commands()) {
            command.failure(new UnknownOutcomeException(
                    "the call was sent, and this member has not seen what became of it, so it may or may not have been done: "
                            + reason));
        }
        entry.end();
    }

    /** Ends the wait for a command at its deadline. */
    private void giveUp(Command command) throws IOException {
        String hindrance;
        synchronized (this) {
            if (command.isDone()) {
                return;
            }
            if (open.remove(command)) {
                openBytes -= command.bytes().length;
                openCount = open.size();
                throw noAnswer();
            }
            hindrance = hindrance();
        }
        throw new UnknownOutcomeException(
                "the call was sent, and may or may not be done: this member has not seen it done in "
                        + TimeUnit.NANOSECONDS.toMillis(answerNanos) + " ms: " + hindrance);
    }

    @GuardedBy("this")
    private LogRefusedException noAnswer() {
        return new LogRefusedException(new InterruptedIOException(
                "not sent in " + TimeUnit.NANOSECONDS.toMillis(answerNanos) + " ms: " + hindrance()));
    }

    @GuardedBy("this")
    private String hindrance() {
        return group == null ? "this member is starting" : group.hindrance();
    }

    /**
     * Ends everything that waits: what was not sent fails by {@code cause}, and of the rest the outcome is unknown.
     *
     * @param cause {@link LogClosedException}, or the failure of this member
     */
    void end(IOException cause) {
        List<Entry> sent;
        List<Command> unsent;
        synchronized (this) {
            if (ended != null) {
                return;
            }
            ended = cause;
            sent = List.copyOf(unresolved);
            unresolved.clear();
            unresolvedBytes = 0;
            unsent = List.copyOf(open);
            open.clear();
            notifyAll();
        }
        sent.forEach(entry -> endUnknown(entry, String.valueOf(cause.getMessage())));
        for (Command command : unsent) {
            command.failure(cause instanceof LogClosedException ? cause : new LogFailedException(cause));
            command.end();
            Thread waiting = command.waiting();
            if (waiting != null) {
                LockSupport.unpark(waiting);
            }
        }
    }

    @Override
    public void close() {
        end(new LogClosedException(CLOSED));
    }
}
