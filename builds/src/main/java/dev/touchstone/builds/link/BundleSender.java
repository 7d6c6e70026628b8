package dev.touchstone.builds.link;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import dev.touchstone.builds.agent.store.Outcome;
import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.v1.Wire;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends the artefacts of attempts that have ended, a piece of each in turn, as far as the master lets them. Thread-safe.
 */
final class BundleSender {
    /*
     * Who calls:      the receiver, executors of the agent and the janitor; `thread` alone sends.
     * Invariants:     a bundle is here from its attempt's outcome until the master has all of the attempt. Nothing of it is sent before the master has said, in
     *                 this session, from where on, or the attempt has ended in it.
     */
    private static final Logger LOG = System.getLogger(BundleSender.class.getName());

    private final LocalAgent agent;
    private final Runnable disconnect;
    private final Thread thread = new Thread(this::run, "builds-link-artefacts");
    private final AtomicBoolean isSignalled = new AtomicBoolean();
    private final byte[] piece = new byte[Rpc.MAX_PIECE]; // the sender's
    private volatile @Nullable Outlet<Wire.ArtefactPiece> outlet;
    private volatile boolean isClosed;

    @GuardedBy("this")
    private final Map<String, Transfer> bundles = new LinkedHashMap<>(); // by job

    private static final class Transfer {
        final Task task;
        final long length;
        long sent;
        long credit;

        Transfer(Task task, long length, long sent) {
            this.task = task;
            this.length = length;
            this.sent = sent;
            this.credit = sent + Rpc.LOG_WINDOW;
        }

        long sendable() {
            return Math.min(length, credit) - sent;
        }
    }

    private record Piece(Transfer transfer, long offset, int bytes) {}

    /**
     * Creates a sender that has no connection yet.
     *
     * @param disconnect ends the connection, with which the sender could not go on
     */
    BundleSender(LocalAgent agent, Runnable disconnect) {
        this.agent = agent;
        this.disconnect = disconnect;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Has the sender look for something to send. */
    void signal() {
        if (!isSignalled.getAndSet(true)) {
            LockSupport.unpark(thread);
        }
    }

    void beginSession(Outlet<Wire.ArtefactPiece> to) {
        outlet = to;
    }

    /** Ends a session: the master says in the next from where on each bundle is to be sent. */
    synchronized void endSession() {
        outlet = null;
        bundles.clear();
    }

    /** Sends an ended attempt's bundle from an offset on. */
    void resume(Task task, Outcome outcome, long offset) {
        long length = outcome.collected().bundleBytes();
        if (length == 0) {
            return;
        }
        synchronized (this) {
            if (outlet != null) {
                bundles.put(task.jobId, new Transfer(task, length, offset));
            }
        }
        signal();
    }

    void credit(String jobId, long epoch, long offset) {
        synchronized (this) {
            Transfer transfer = bundles.get(jobId);
            if (transfer != null && transfer.task.epoch == epoch) {
                transfer.credit = Math.max(transfer.credit, offset);
            }
        }
        signal();
    }

    synchronized void forget(Task task) {
        Transfer transfer = bundles.get(task.jobId);
        if (transfer != null && transfer.task.epoch == task.epoch) {
            bundles.remove(task.jobId);
        }
    }

    private void run() {
        while (!isClosed) {
            isSignalled.set(false);
            if (!sendNext() && !isSignalled.get()) {
                LockSupport.park(this);
            }
        }
    }

    private boolean sendNext() {
        Outlet<Wire.ArtefactPiece> to = outlet;
        try {
            return to != null && send(to);
        } catch (RuntimeException | Error e) {
            LOG.log(Logger.Level.ERROR, "agent has failed to send artefacts, and connects again", e);
            endSession();
            disconnect.run();
            return false;
        }
    }

    /** Sends one piece; returns false if there is none, or the connection takes no more now. */
    private boolean send(Outlet<Wire.ArtefactPiece> to) {
        Piece next = next();
        if (next == null || !to.hasRoom()) {
            return false;
        }
        Task task = next.transfer.task;
        int read;
        try {
            read = agent.readBundle(task.jobId, task.attempt, next.offset, ByteBuffer.wrap(piece, 0, next.bytes));
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "artefacts cannot be read: job=" + task.jobId, e);
            read = -1;
        }
        if (read <= 0) {
            forget(task); // the master asks again for what does not come, and gives up
            return true;
        }
        Wire.ArtefactPiece message = Wire.ArtefactPiece.newBuilder()
                .setJob(task.number)
                .setAttempt(task.attempt)
                .setEpoch(task.epoch)
                .setOffset(next.offset)
                .setBytes(ByteString.copyFrom(piece, 0, read))
                .build();
        if (!to.trySend(message)) {
            return false;
        }
        synchronized (this) {
            next.transfer.sent += read;
        }
        return true;
    }

    /** Returns the next piece that may be sent, fair to all bundles; null if there is none. */
    private synchronized @Nullable Piece next() {
        for (Map.Entry<String, Transfer> entry : bundles.entrySet()) {
            Transfer transfer = entry.getValue();
            long sendable = transfer.sendable();
            if (sendable > 0) {
                bundles.remove(entry.getKey());
                bundles.put(entry.getKey(), transfer); // behind the others
                return new Piece(transfer, transfer.sent, (int) Math.min(Rpc.MAX_PIECE, sendable));
            }
        }
        return null;
    }

    void close() {
        isClosed = true;
        LockSupport.unpark(thread);
    }
}
