package dev.touchstone.builds.link;

import com.google.protobuf.ByteString;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.wire.Ending;
import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.v1.Wire;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The messages that an agent sends: first all that is not a log, then a piece of a log, and so on; so a long log delays an outcome by a few pieces at most.
 * Thread-safe.
 */
final class Outbound {
    /*
     * Who calls:  the receiver begins and ends sessions and tells noops; executors `stage` and `finished`; whoever closes the link `drain` and
     *             `close`; `thread` alone sends logs and takes from a queue.
     * Invariants: what is in a session's queue is lost with the session: the master asks again for what it has not got. A piece of a log counts as
     *             sent when the stream has taken it.
     * Ordering:   whoever has something to send adds it before it signals, and the thread clears the signal before it looks.
     * Failure:    whatever the thread meets ends the connection.
     */
    private static final Logger LOG = System.getLogger(Outbound.class.getName());
    private static final long DRAIN_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final int MAX_MESSAGE = 1000;

    private final LocalAgent agent;
    private final Tasks tasks;
    private final Runnable disconnect;
    private final Thread thread = new Thread(this::run, "builds-link-sender");
    private final AtomicBoolean signalled = new AtomicBoolean();
    private final byte[] piece = new byte[Rpc.MAX_PIECE]; // the sender's
    private volatile @Nullable Session session;
    private volatile boolean closed;

    /** A connection. */
    private static final class Session {
        final Outlet<Wire.FromAgent> master;
        final Outlet<Wire.LogPiece> logs;
        final Queue<Wire.FromAgent> control = new ConcurrentLinkedQueue<>();
        volatile boolean ended;

        Session(Outlet<Wire.FromAgent> master, Outlet<Wire.LogPiece> logs) {
            this.master = master;
            this.logs = logs;
        }
    }

    /**
     * Creates a sender that has no connection yet.
     *
     * @param disconnect ends the connection, with which the sender could not go on
     */
    Outbound(LocalAgent agent, Tasks tasks, Runnable disconnect) {
        this.agent = agent;
        this.tasks = tasks;
        this.disconnect = disconnect;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void beginSession(Outlet<Wire.FromAgent> master, Outlet<Wire.LogPiece> logs) {
        session = new Session(master, logs);
        signal();
    }

    void endSession() {
        Session before = session;
        session = null;
        if (before != null) {
            before.ended = true;
        }
    }

    boolean hasSession() {
        return session != null;
    }

    /** Has the sender look for something to send. */
    void signal() {
        if (!signalled.getAndSet(true)) {
            LockSupport.unpark(thread);
        }
    }

    void stage(Task task, String stage) {
        Session to = session;
        if (to != null) {
            to.control.add(Wire.FromAgent.newBuilder()
                    .setStage(Wire.Stage.newBuilder()
                            .setJob(task.number)
                            .setAttempt(task.attempt)
                            .setEpoch(task.epoch)
                            .setStage(stage))
                    .build());
            signal();
        }
    }

    /** Sends an outcome; without a connection, the master asks for it with the next one. */
    void finished(Task task, Outcome outcome) {
        Session to = session;
        if (to != null) {
            to.control.add(Wire.FromAgent.newBuilder()
                    .setFinished(Wire.Finished.newBuilder()
                            .setJob(task.number)
                            .setAttempt(task.attempt)
                            .setEpoch(task.epoch)
                            .setEnding(ending(task, outcome).toMessage())
                            .setBundleBytes(outcome.collected().bundleBytes()))
                    .build());
            signal();
        }
    }

    private static Ending ending(Task task, Outcome outcome) {
        String message = outcome.message();
        return new Ending(
                BuildCode.of(outcome.code().number()).orElse(BuildCode.AGENT_FAILED),
                outcome.exitCode(),
                message.length() > MAX_MESSAGE ? message.substring(0, MAX_MESSAGE) : message,
                Math.max(0, outcome.pull().toNanos()),
                Math.max(0, outcome.build().toNanos()),
                task.attempt,
                "",
                outcome.logBytes(),
                outcome.truncated());
    }

    /** Says that noops are done; drops them where there is no connection, for the master gives them to somebody again. */
    void noops(Wire.Noops.Builder noops) {
        Session to = session;
        if (to == null || noops.getJobsCount() == 0) {
            return;
        }
        Wire.FromAgent message = Wire.FromAgent.newBuilder().setNoops(noops).build();
        if (!to.control.isEmpty() || !to.master.trySend(message)) {
            to.control.add(message);
            signal();
        }
    }

    private void run() {
        while (!closed) {
            signalled.set(false);
            if (!send(session) && !signalled.get()) {
                LockSupport.park(this);
            }
        }
    }

    /** Sends what is next; returns false if there is nothing, or the connection takes no more now. */
    private boolean send(@Nullable Session to) {
        if (to == null || to.ended) {
            return false;
        }
        try {
            return sendControl(to) && sendPiece(to);
        } catch (RuntimeException | Error e) {
            LOG.log(Logger.Level.ERROR, "agent has failed to send, and connects again", e);
            to.ended = true;
            disconnect.run();
            return false;
        }
    }

    /** Sends what is no log; returns false where the connection takes no more now. */
    private static boolean sendControl(Session to) {
        for (Wire.FromAgent next = to.control.peek(); next != null; next = to.control.peek()) {
            if (to.ended || !to.master.trySend(next)) {
                return false;
            }
            to.control.poll();
        }
        return true;
    }

    /** Sends one piece of a log; false where there is none, or the connection takes no more now. */
    private boolean sendPiece(Session to) {
        Tasks.Piece next = tasks.nextPiece(piece.length);
        if (next == null) {
            return false;
        }
        Task task = next.task();
        int read;
        try {
            read = agent.readLog(task.jobId, task.attempt, next.offset(), ByteBuffer.wrap(piece, 0, next.bytes()));
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "log cannot be read: job=" + task.jobId, e);
            tasks.unreadable(task);
            return true;
        }
        if (read <= 0) {
            tasks.unreadable(task);
            return true;
        }
        Wire.LogPiece message = Wire.LogPiece.newBuilder()
                .setJob(task.number)
                .setAttempt(task.attempt)
                .setEpoch(task.epoch)
                .setOffset(next.offset())
                .setBytes(ByteString.copyFrom(piece, 0, read))
                .build();
        if (to.ended || !to.logs.trySend(message)) {
            return false;
        }
        tasks.sent(next, read);
        return true;
    }

    /** Waits until nothing is left to say, for some time. */
    void drain(long nanos) {
        long deadline = System.nanoTime() + nanos;
        while (deadline - System.nanoTime() > 0) {
            Session to = session;
            if (to == null || (to.control.isEmpty() && tasks.nextPiece(1) == null)) {
                return;
            }
            LockSupport.parkNanos(this, DRAIN_NANOS);
        }
    }

    void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
