package dev.touchstone.queue.replica;

import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogClosedException;
import dev.touchstone.queue.log.LogCounts;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.LogRefusedException;
import dev.touchstone.queue.log.commit.AppendCompletion;
import dev.touchstone.queue.log.consume.RecordCursor;
import dev.touchstone.queue.log.engine.QueueLog;
import dev.touchstone.queue.log.engine.RecordIterator;
import dev.touchstone.queue.log.recover.RecoveryOutcome;
import dev.touchstone.queue.log.segment.RecordFormat;
import dev.touchstone.queue.replication.GroupOptions;
import dev.touchstone.queue.replication.ReplicationEngine;
import dev.touchstone.queue.replication.ReplicationGroup;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A log that several members have: each change is an entry of their group's, and returns when this member has applied it. Thread-safe.
 *
 * <p>{@link #read}, iterators and visits wait until this member has everything that was committed before the call; sizes and counts are those
 * of what it has applied.
 */
public final class ReplicatedLog implements QueueLog {
    /**
     * Longest element. It travels as one entry, of which the leader and each member have several copies in memory, and behind which the
     * entries of others wait.
     */
    public static final int MAX_ELEMENT_BYTES = 4 << 20;

    /** Bytes of elements that are offered together and must all have room. */
    private static final int MAX_TOGETHER_BYTES = MAX_ELEMENT_BYTES;

    private static final int PART_BYTES = EntrySender.MAX_BYTES - 1024; // with the length of each element
    private static final long CHECK_MILLIS = 50;
    private static final long LEAVE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LogOptions options;
    private final FileIo io;
    private final Duration answerTime;
    private final ScheduledExecutorService timer;
    private final ExecutorService answers;
    private final EntrySender sender;
    private final ReplicaMachine machine;
    private final ReplicationGroup group;
    private final ReplicatedCursor own;
    private final LogCounts atOpen;
    private final Map<String, ReplicatedCursor> named = new ConcurrentHashMap<>();
    private volatile long freeBytes = Long.MAX_VALUE;
    private volatile long nextCheck = System.nanoTime();
    private volatile boolean closed;

    /**
     * Opens a member.
     *
     * @param options of the queue; in a folder below its own the member has a log that is emptied, and filled again from the engine's
     * @param answerTime longest time that a call waits for the other members
     * @throws IOException if the engine cannot be started
     */
    public ReplicatedLog(
            LogOptions options, FileIo io, Duration answerTime, ReplicationEngine engine, GroupOptions member)
            throws IOException {
        this.options = options;
        this.io = io;
        this.answerTime = answerTime;
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "queue-timer " + member.member()));
        ThreadPoolExecutor one = new ThreadPoolExecutor(
                1,
                1,
                1,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> daemon(task, "queue-answers " + member.member()));
        one.allowCoreThreadTimeOut(true);
        this.answers = one;
        LogOptions ofState = options.ofReplica(options.folder().resolve("records"));
        this.sender = new EntrySender(CallSettings.of(ofState), timer, answerTime.toNanos());
        boolean begun = false;
        try {
            this.machine = new ReplicaMachine(ofState, io, sender, () -> timer.execute(sender::snapshot));
            try {
                this.group = engine.start(member, machine);
                begun = true;
            } catch (Throwable e) {
                closeAfter(e, machine);
                throw e;
            }
        } finally {
            if (!begun) {
                timer.shutdownNow();
                answers.shutdown();
            }
        }
        this.own = new ReplicatedCursor(
                this, sender, 0, "", options.leases().timeout(), state().log().own());
        this.atOpen = state().log().counts();
        sender.start(group);
        var unused = timer.scheduleWithFixedDelay(sender::check, CHECK_MILLIS, CHECK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Closes a machine whose engine has not started. The failure of the start says more than that of the close that comes of it. */
    private static void closeAfter(Throwable failure, ReplicaMachine machine) {
        try {
            machine.close();
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Returns the group of members. */
    public ReplicationGroup group() {
        return group;
    }

    /** Returns whether this member leads and has applied what earlier leaders have committed. */
    public boolean leads() {
        return machine.leads();
    }

    ReplicaState state() {
        return machine.state();
    }

    ReplicaState loadedState() {
        return machine.loadedState();
    }

    @Override
    public long append(long waitNanos, byte[] payload) throws IOException, InterruptedException {
        return append(waitNanos, payload.length, () -> Command.offer(payload));
    }

    @Override
    public long append(long waitNanos, byte[] payload, Duration delay) throws IOException, InterruptedException {
        return append(waitNanos, payload.length, () -> Command.offer(payload, delay.toNanos()));
    }

    private long append(long waitNanos, int bytes, Supplier offer) throws IOException, InterruptedException {
        long[] sequence = new long[1];
        boolean unused = offer(waitNanos, 1, RecordFormat.recordBytes(bytes), () -> {
            sequence[0] = (Long) Objects.requireNonNull(sender.call(offer.get()));
            return sequence[0] > 0;
        });
        return sequence[0];
    }

    /** Appends records in parts, so that other callers' entries come between; in one where limits have to leave room for all or none. */
    @Override
    public boolean appendAll(long waitNanos, List<byte[]> payloads) throws IOException, InterruptedException {
        long bytes = 0;
        for (byte[] payload : payloads) {
            bytes += RecordFormat.recordBytes(payload.length);
        }
        if (bytes <= EntrySender.MAX_BYTES || isLimited()) {
            if (bytes > MAX_TOGETHER_BYTES) {
                throw new IllegalArgumentException(
                        "elements are too long to be offered together to a queue with limits: bytes=" + bytes + " max="
                                + MAX_TOGETHER_BYTES + " elements=" + payloads.size());
            }
            return offer(
                    waitNanos,
                    payloads.size(),
                    bytes,
                    () -> Boolean.TRUE.equals(sender.call(Command.offerAll(payloads))));
        }
        return offer(waitNanos, payloads.size(), bytes, () -> {
            appendInParts(payloads);
            return true;
        });
    }

    private boolean isLimited() {
        LogOptions.Limits limits = options.limits();
        return limits.records() != Long.MAX_VALUE || limits.bytes() != Long.MAX_VALUE;
    }

    private void appendInParts(List<byte[]> payloads) throws IOException {
        int done = 0;
        while (done < payloads.size()) {
            int end = done;
            long bytes = 0;
            while (end < payloads.size() && (end == done || bytes + payloads.get(end).length <= PART_BYTES)) {
                bytes += Integer.BYTES + payloads.get(end++).length;
            }
            try {
                Object unused = sender.call(Command.offerAll(payloads.subList(done, end)));
            } catch (UnknownOutcomeException e) {
                throw done == 0 ? e : new UnknownOutcomeException(withDone(done, payloads, e));
            } catch (LogRefusedException e) {
                throw done == 0 ? e : new LogRefusedException(new IOException(withDone(done, payloads, e), e));
            }
            done = end;
        }
    }

    private static String withDone(int done, List<byte[]> payloads, IOException e) {
        return "the first " + done + " of " + payloads.size() + " elements are in the queue; of those that follow: "
                + e.getMessage();
    }

    /**
     * Appends an element unless its producer has done so before.
     *
     * @param number larger than those of the producer's earlier elements
     * @return whether it is in the log, by this call or an earlier one; false for want of room
     */
    public boolean produce(long waitNanos, String producer, long number, byte[] payload)
            throws IOException, InterruptedException {
        return offer(
                waitNanos,
                1,
                RecordFormat.recordBytes(payload.length),
                () -> Boolean.TRUE.equals(sender.call(Command.produce(producer, number, payload))));
    }

    /** Returns the last number of a producer whose element is in the log; 0 for none. */
    public long lastOf(String producer) throws IOException {
        barrier();
        return state().lastOf(producer);
    }

    /** Makes a command. */
    private interface Supplier {
        Command get();
    }

    /** Tries to append. */
    private interface Attempt {
        boolean isIn() throws IOException;
    }

    /** Tries until there was room, or the time to wait is over. */
    private boolean offer(long waitNanos, int records, long bytes, Attempt attempt)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        boolean mayHaveRoom = true;
        for (; ; ) {
            checkOpen();
            sender.checkOpen();
            boolean hasDisk = hasDisk();
            if (hasDisk && mayHaveRoom && attempt.isIn()) {
                return true;
            }
            long left = waitNanos - (System.nanoTime() - start);
            if (left <= 0 || options.limits().whenFull() == LogOptions.WhenFull.DROP_OLDEST) {
                return false;
            }
            long most = Math.min(left, CHECK_NANOS);
            if (hasDisk) {
                // returns at once where a snapshot takes the place of the state: then the next one is looked at
                mayHaveRoom = loadedState().log().awaitRoom(options.limits(), records, bytes, System.nanoTime() + most);
            } else {
                TimeUnit.NANOSECONDS.sleep(most);
            }
        }
    }

    private boolean hasDisk() throws IOException {
        long least = options.limits().minFreeBytes();
        if (least > 0 && System.nanoTime() - nextCheck >= 0) {
            nextCheck = System.nanoTime() + CHECK_NANOS;
            freeBytes = io.usableBytes(options.folder());
        }
        return freeBytes >= least;
    }

    @Override
    public boolean appendAsync(long waitNanos, byte[] payload, AppendCompletion completion)
            throws IOException, InterruptedException {
        checkOpen();
        if (options.limits().isAny()) { // the answer tells whether there was room
            boolean isIn = append(waitNanos, payload) > 0;
            if (isIn) {
                completion.done(null);
            }
            return isIn;
        }
        sender.submit(
                Command.offer(payload, failure -> answer(completion, failure)),
                System.nanoTime() + answerTime.toNanos());
        return true;
    }

    /** Tells of an answer by another thread than the one that applies entries. */
    private void answer(AppendCompletion completion, @Nullable IOException failure) {
        answers.execute(() -> completion.done(failure));
    }

    @Override
    public RecordCursor own() {
        return own;
    }

    @Override
    public RecordCursor cursor(String name) throws IOException {
        Long number = (Long) Objects.requireNonNull(sender.call(Command.named(Command.MAKE_CURSOR, name)));
        return cursor(name, number);
    }

    private ReplicatedCursor cursor(String name, long number) {
        return Objects.requireNonNull(named.compute(
                name,
                (key, known) -> known != null && known.number() == number
                        ? known
                        : new ReplicatedCursor(
                                this, sender, number, name, options.leases().timeout(), state().findCursor(number))));
    }

    @Override
    public @Nullable RecordCursor findCursor(String name) {
        Long number = state().number(name);
        return number == null ? null : cursor(name, number);
    }

    @Override
    public boolean dropCursor(String name) throws IOException {
        return Boolean.TRUE.equals(sender.call(Command.named(Command.DROP_CURSOR, name)));
    }

    @Override
    public Set<String> cursorNames() {
        return state().names();
    }

    /**
     * Returns once this member has applied everything that was committed before the call.
     *
     * @throws LogRefusedException if no leader has answered in time
     */
    public void barrier() throws IOException {
        checkOpen();
        sender.checkOpen();
        CompletableFuture<@Nullable Throwable> answer = new CompletableFuture<>();
        group.barrier(answer::complete);
        boolean interrupted = false;
        long deadline = System.nanoTime() + answerTime.toNanos();
        try {
            for (; ; ) {
                try {
                    Throwable failure = answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                    if (failure == null) {
                        return;
                    }
                    if (System.nanoTime() - deadline >= 0) {
                        throw new LogRefusedException(
                                new IOException(notTold() + ": " + failure.getMessage(), failure));
                    }
                    TimeUnit.MILLISECONDS.sleep(1);
                    checkOpen();
                    sender.checkOpen();
                    answer = new CompletableFuture<>();
                    group.barrier(answer::complete);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (TimeoutException e) {
            throw new LogRefusedException(new InterruptedIOException(notTold()));
        } catch (ExecutionException e) {
            throw new IOException(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private String notTold() {
        return "this member has not got what was committed in " + answerTime.toMillis() + " ms: " + group.hindrance();
    }

    @Override
    public RecordIterator iterator() throws IOException {
        return reading(
                state -> new ReplicatedIterator(this, state, state.log().iterator(), !options.namedCursorsOnly()));
    }

    @Override
    public RecordIterator iterator(long sequence) throws IOException {
        return reading(state -> new ReplicatedIterator(this, state, state.log().iterator(sequence), false));
    }

    @Override
    public byte @Nullable [] read(long sequence, boolean unconsumed) throws IOException {
        return reading(state -> Optional.ofNullable(state.log().read(sequence, unconsumed)))
                .orElse(null);
    }

    @Override
    public long visit(long sequence, Visitor visitor) throws IOException {
        long[] next = {sequence}; // a snapshot may take the place of the state in the middle
        long[] visited = {0};
        return reading(state -> {
            long unused = state.log().visit(next[0], (at, payload) -> {
                next[0] = at + 1;
                visited[0]++;
                return visitor.visit(at, payload);
            });
            return visited[0];
        });
    }

    /** Reads a state of this member. */
    private interface Reading<R> {
        R of(ReplicaState state) throws IOException;
    }

    /** Reads when this member has everything that was committed; again where a snapshot takes the place of its state meanwhile. */
    private <R> R reading(Reading<R> reading) throws IOException {
        barrier();
        for (; ; ) {
            ReplicaState state = loadedState();
            try {
                return reading.of(state);
            } catch (IOException e) { // also of files that are those of another state by now
                checkOpen();
                if (state.equals(loadedState())) {
                    throw e;
                }
            }
        }
    }

    @Override
    public long size() {
        return state().log().size();
    }

    @Override
    public long remainingRecords() {
        return state().log().remainingRecords();
    }

    @Override
    public void flush() throws IOException {
        checkOpen(); // what was accepted is on the device of a majority
        sender.checkOpen();
    }

    @Override
    public RecoveryOutcome outcome() {
        return new RecoveryOutcome(true, 0, 0, 0);
    }

    @Override
    public LogCounts counts() {
        return state().log().counts().since(atOpen);
    }

    void checkOpen() throws LogClosedException {
        if (closed) {
            throw new LogClosedException(options.folder());
        }
    }

    /** Gives the leases of this member's callers back, if the others answer; else their time ends them. */
    private void leave() {
        try {
            sender.callLast(Command.of(Command.LEAVE), Math.min(answerTime.toNanos(), LEAVE_NANOS));
        } catch (IOException notNow) {
            // no leader, or this member has failed
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        try (machine;
                group) {
            leave();
            sender.close();
        } finally {
            timer.shutdownNow();
            answers.shutdown();
        }
    }
}
