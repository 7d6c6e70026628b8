package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.etf.EtfException;
import dev.touchstone.messaging.handshake.Capability;
import dev.touchstone.messaging.handshake.PeerCapabilities;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.report.FaultLog;
import dev.touchstone.messaging.stats.ConnectionStats;
import dev.touchstone.messaging.stats.EndKind;
import dev.touchstone.messaging.stats.Traffic;
import dev.touchstone.messaging.term.Pid;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A connection to another node, after its handshake: frames in, frames out. Read by the leader; written by any thread. A frame is a
 * length of 4 bytes and a body; a length of 0 is a tick.
 */
public final class Connection {
    /*
     * Who calls:      any thread sends and ends; the leader alone reads, and writes frames left to it; the background thread beats.
     * Invariants:     `input`, `blockedBy` and `format` are the leader's. `ended` is set once, before anything is closed.
     * Ordering:       frames leave as PendingOutput orders them, and are handed on in the order in which they came.
     * Failure:        an exception of a frame ends the connection; a message that is too long is dropped alone. The thread that ends it
     *                 wakes senders, and reports to Frames.
     */
    private static final int MAX_LEFT = 32 << 10;

    private final Carrier carrier;
    private final NodeName peer;
    private final PeerCapabilities capabilities;
    private final int peerCreation;
    private final int maxFrameBytes;
    private final Frames frames;
    private final PendingOutput output;
    private final FrameFormat format;
    private final Instant since = Instant.now();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final FrameInput input; // the leader's, as are the next two
    private ReceiveLeader.@Nullable Wait blockedBy; // a mailbox that is full
    /** Set while {@link ReadTurns} has this connection in its queue of unfinished ones. */
    boolean queued;

    private volatile boolean blocked; // as blockedBy, for other threads
    private volatile @Nullable Throwable fault; // of this node, met while reading
    private volatile boolean finished; // whether all that follows from the end is done
    private volatile @Nullable SelectionKey key;
    private volatile @Nullable ReceiveLeader leader;
    /** Set while frames are left for {@link ReceiveLeader} to write. */
    volatile boolean left;

    private final AtomicLong received = new AtomicLong(); // set by the leader, as are the next three
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong framesIn = new AtomicLong();
    private final AtomicLong ticksIn = new AtomicLong();
    private long receivedAtBeat; // the background thread's, as are the next two
    private long writtenAtBeat;
    private int silentBeats;

    /** The receiver of what a connection reads. */
    public interface Frames {
        /**
         * Takes one frame's body; called by the leader, one frame at a time. An {@code EtfException} or {@code IllegalStateException}
         * says that the peer broke the protocol; whatever else is thrown is logged as a fault of this node. Both end the connection.
         *
         * @param retained whether the buffer is not written again
         */
        void frame(Connection connection, byte[] buffer, int offset, int length, boolean retained);

        /**
         * Takes the report of a message that is longer than messages may be, by the leader. The message was skipped.
         *
         * @param bytes of the message as it was sent, without those that the receiver did not see
         */
        void refused(Connection connection, long bytes);

        /**
         * Takes the end of a connection; once, and again where it has thrown.
         *
         * @param connection the one that has ended
         * @param cause why
         */
        void ended(Connection connection, IOException cause);
    }

    /**
     * Creates a connection whose handshake has succeeded.
     *
     * @param carrier carries its bytes
     * @param peer the other node
     * @param capabilities what both nodes have announced
     * @param peerCreation tells the peer's life from its earlier ones
     * @param lowWater bytes that may be pending when blocked senders go on
     * @param highWater bytes pending from which on senders block
     * @param maxFrameBytes the longest message that is sent or accepted
     * @param frames takes what is received
     */
    public Connection(
            Carrier carrier,
            NodeName peer,
            PeerCapabilities capabilities,
            int peerCreation,
            int lowWater,
            int highWater,
            int maxFrameBytes,
            Frames frames) {
        this.carrier = carrier;
        this.peer = peer;
        this.capabilities = capabilities;
        this.peerCreation = peerCreation;
        this.maxFrameBytes = maxFrameBytes;
        this.frames = frames;
        this.input = new FrameInput(carrier, peer, maxFrameBytes, new Received());
        this.format = new FrameFormat(maxFrameBytes, this::refused);
        this.output = new PendingOutput(carrier, peer, capabilities, lowWater, highWater, maxFrameBytes);
    }

    /** Returns the other node. */
    public NodeName peer() {
        return peer;
    }

    /** Returns the creation, which tells the peer's life from its earlier ones. */
    public int peerCreation() {
        return peerCreation;
    }

    /** Returns the state that the connection's frames share; the leader's only. */
    public FrameFormat format() {
        return format;
    }

    /**
     * Returns what may be sent over this connection.
     *
     * @return the capabilities that both nodes have announced
     */
    public PeerCapabilities capabilities() {
        return capabilities;
    }

    /**
     * Returns whether one of the two nodes is hidden.
     *
     * @return true where the connection takes no part in the cluster's mesh
     */
    public boolean isHidden() {
        return !capabilities.has(Capability.PUBLISHED);
    }

    /** Returns whether the connection has not ended yet. */
    public boolean isOpen() {
        return !ended.get();
    }

    /**
     * Sends a frame; waits while too much is pending, also if the thread is interrupted, whose interrupt status is kept. A frame for a
     * connection that has ended is lost.
     *
     * @param sender the process whose frames keep their order; null for none
     * @param body encodes the frame; called a second time if the frame is large
     * @throws IllegalArgumentException if the frame is longer than frames may be
     */
    public void send(@Nullable Pid sender, FrameBody body) {
        int unused = addAndWait(sender, body);
        ReceiveLeader loop = leader;
        if (loop == null || !loop.leaderFlushes(this)) {
            flush();
        }
    }

    /**
     * Sends a frame as {@link #send} does, but may leave it for a later {@link #flush}, which the caller owes; without that the leader's
     * background thread flushes within milliseconds.
     *
     * @param sender the process whose frames keep their order; null for none
     * @param body encodes the frame; called a second time if the frame is large
     * @return whether the frame was left
     * @throws IllegalArgumentException if the frame is longer than frames may be
     */
    public boolean sendLater(@Nullable Pid sender, FrameBody body) {
        ReceiveLeader loop = leader;
        if (addAndWait(sender, body) < MAX_LEFT && loop != null) {
            loop.flushLater(this);
            return true;
        }
        flush();
        return false;
    }

    private int addAndWait(@Nullable Pid sender, FrameBody body) {
        boolean interrupted = Thread.interrupted();
        try {
            for (; ; ) {
                try {
                    return output.add(sender, body, PendingOutput.FOR_GOOD);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Sends a frame if there is room for it in time. An interrupted thread does not wait; its interrupt status is kept.
     *
     * @param sender the process whose frames keep their order; null for none
     * @param body encodes the frame; called a second time if the frame is large
     * @param waitNanos the longest wait for room; 0 or less for none
     * @return false if too much is pending; nothing is sent then
     * @throws IllegalArgumentException if the frame is longer than frames may be
     */
    public boolean trySend(@Nullable Pid sender, FrameBody body, long waitNanos) {
        boolean added = addNow(sender, body, Math.max(0, waitNanos)) >= 0;
        flush();
        return added;
    }

    /**
     * Sends a frame that the node owes its peer, without waiting. A peer that leaves too much of what it is owed unread loses the
     * connection.
     *
     * @param sender the process whose frames keep their order; null for none
     * @param body encodes the frame; called a second time if the frame is large
     * @throws IllegalArgumentException if the frame is longer than frames may be
     */
    public void sendOwed(@Nullable Pid sender, FrameBody body) {
        addOwed(sender, body);
        ReceiveLeader loop = leader;
        if (loop == null || !loop.leaderFlushes(this)) {
            flush();
        }
    }

    /**
     * Adds a frame as {@link #sendOwed} does; the caller owes a {@link #flush}.
     *
     * @param sender the process whose frames keep their order; null for none
     * @param body encodes the frame; called a second time if the frame is large
     */
    public void addOwed(@Nullable Pid sender, FrameBody body) {
        try {
            if (addNow(sender, body, PendingOutput.OWED) == PendingOutput.OVERDUE) {
                end(new ConnectionEndedException(
                        EndKind.NOT_READING,
                        "peer does not read: peer=" + peer + " owedBytes>=" + PendingOutput.MAX_OWED_BYTES));
            }
        } catch (Error e) { // the peer would never learn what this frame tells
            fail(e);
        }
    }

    /**
     * Waits while too much is pending, also if the thread is interrupted, whose interrupt status is kept.
     *
     * @param sender the process that is going to add a frame
     */
    public void awaitRoom(Pid sender) {
        boolean interrupted = Thread.interrupted();
        while (!awaitRoom(sender, PendingOutput.FOR_GOOD)) {
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits while too much is pending. An interrupted thread does not wait; its interrupt status is kept.
     *
     * @param sender the process that is going to add a frame
     * @param waitNanos the longest wait; 0 or less for none
     * @return whether there is room
     */
    public boolean awaitRoom(Pid sender, long waitNanos) {
        try {
            return output.awaitRoom(sender, Math.max(0, waitNanos));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private int addNow(@Nullable Pid sender, FrameBody body, long waitNanos) {
        try {
            return output.add(sender, body, waitNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return PendingOutput.NO_ROOM;
        }
    }

    /** The content of one frame. */
    public interface FrameBody {
        /**
         * Writes the body.
         *
         * @param out takes one control message
         */
        void encode(FrameWriter out);
    }

    /** Writes the pending frames, unless another thread does. A failure, an Error too, ends the connection and is not thrown. */
    public void flush() {
        try {
            if (!output.flush()) {
                awaitRoomToWrite();
            }
        } catch (IOException e) {
            end(e);
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void awaitRoomToWrite() {
        SelectionKey registered = key;
        ReceiveLeader loop = leader;
        try {
            if (registered != null && loop != null) {
                registered.interestOpsOr(SelectionKey.OP_WRITE);
                loop.wakeup();
            }
        } catch (CancelledKeyException e) {
            end(new IOException("connection closed: peer=" + peer, e));
        }
    }

    void register(Selector selector, ReceiveLeader loop) throws IOException {
        leader = loop;
        SelectionKey registered = carrier.channel().register(selector, 0, this);
        key = registered;
        registered.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE); // frames sent before may have stalled
    }

    /** Writes stalled frames, if the selected key has room for them; returns whether the key can be read from. Called by the leader. */
    boolean ready(SelectionKey selected) {
        try {
            int ready = selected.readyOps();
            if ((ready & SelectionKey.OP_WRITE) != 0) {
                selected.interestOpsAnd(~SelectionKey.OP_WRITE);
                if (!output.goOn()) {
                    selected.interestOpsOr(SelectionKey.OP_WRITE);
                }
            }
            return (ready & SelectionKey.OP_READ) != 0;
        } catch (IOException e) {
            end(e);
        } catch (CancelledKeyException e) {
            end(new IOException("connection closed: peer=" + peer, e));
        } catch (Throwable e) {
            fail(e);
        }
        return false;
    }

    /** The receiver of the input's frames, which counts what comes. */
    private final class Received implements FrameInput.Receiver {
        @Override
        public void came(int bytes) {
            received.lazySet(received.get() + bytes);
        }

        @Override
        public boolean frame(byte[] buffer, int offset, int length, boolean retained) {
            if (length == 0) {
                ticksIn.lazySet(ticksIn.get() + 1);
                return true;
            }
            framesIn.lazySet(framesIn.get() + 1);
            frames.frame(Connection.this, buffer, offset, length, retained);
            return blockedBy == null;
        }

        @Override
        public void tooLong(byte[] buffer, int offset, int head, long length) {
            if (format.skip(buffer, offset, head, length)) {
                refused(length);
            }
        }
    }

    /**
     * Reads and handles the bytes that are there, within the budget of one turn in bytes and time. Called by the leader.
     *
     * @return the number of bytes read; whether the budget ended the turn tells {@link #isUnfinished}
     */
    public int read() {
        int bytes = 0;
        try {
            goOnWriting();
            if (blockedBy != null || !isOpen()) {
                return 0;
            }
            bytes = input.takeTurn();
        } catch (IOException e) {
            end(e);
        } catch (EtfException | IllegalStateException e) { // the peer's fault
            end(new ConnectionEndedException(
                    EndKind.INVALID_INPUT, "connection ended by what it received: peer=" + peer, e));
        } catch (Throwable e) {
            fail(e);
        }
        return bytes;
    }

    /** Writes the frames that were left to the leader: a leader that polls may not come to select for long. */
    private void goOnWriting() throws IOException {
        SelectionKey registered = key;
        if (output.mayGoOn() && !output.goOn() && registered != null) {
            registered.interestOpsOr(SelectionKey.OP_WRITE);
        }
    }

    /**
     * Counts and reports a message that is longer than messages may be; called by the leader.
     *
     * @param bytes of the message
     */
    public void refused(long bytes) {
        refused.lazySet(refused.get() + 1);
        frames.refused(this, bytes);
    }

    /**
     * Returns how many messages were longer than messages may be.
     *
     * @return messages that came since the connection was made, and were skipped
     */
    public long refusedMessages() {
        return refused.get();
    }

    /**
     * Returns the length of the longest message.
     *
     * @return bytes of a frame, or of all fragments of a message together
     */
    public int maxFrameBytes() {
        return maxFrameBytes;
    }

    /** Returns whether the last turn has left something that its connection need not become readable for. */
    boolean isUnfinished() {
        return input.isUnfinished() && blockedBy == null && isOpen();
    }

    /** Returns the length of the frame that was handled last. Called by the leader. */
    int frameBytes() {
        return input.frameBytes();
    }

    /** Stops reading until a mailbox has room. Called by the leader, while it handles a frame. */
    void block(ReceiveLeader.Wait mailbox) {
        if (blockedBy == null) {
            blockedBy = mailbox;
            blocked = true;
        }
    }

    /** Returns whether a mailbox that is full keeps this connection from being read. Called by the leader. */
    boolean isBlocked() {
        return blockedBy != null;
    }

    /** Takes the socket out of the selection while it is not to be read, so that its bytes do not wake the leader. Called by the leader. */
    void stopSelecting() {
        SelectionKey registered = key;
        if (registered != null && registered.isValid()) {
            registered.interestOpsAnd(~SelectionKey.OP_READ);
        }
    }

    /** Has the connection read again if the mailbox that was full has room; returns whether it has. Called by the leader. */
    boolean unblock() {
        ReceiveLeader.Wait mailbox = blockedBy;
        if (mailbox != null && isOpen() && !mailbox.hasRoom()) {
            return false;
        }
        blockedBy = null;
        blocked = false;
        SelectionKey registered = key;
        if (registered != null && registered.isValid()) {
            registered.interestOpsOr(SelectionKey.OP_READ);
        }
        return true;
    }

    /** Sends a tick where nothing else was sent since the last beat, and ends the connection after too many silent ones. */
    public void beat(int mostSilentBeats) {
        if (output.written() == writtenAtBeat && output.isEmpty()) {
            boolean unused = trySend(null, out -> {}, 0); // a tick
        }
        writtenAtBeat = output.written();
        long now = received.get();
        silentBeats = now == receivedAtBeat && !blocked ? silentBeats + 1 : 0; // nothing is read from a blocked one
        receivedAtBeat = now;
        if (silentBeats > mostSilentBeats) {
            end(new ConnectionEndedException(
                    EndKind.SILENT, "no tick from peer=" + peer + " for beats=" + silentBeats));
        }
    }

    /**
     * Ends the connection because of a fault of this node, and logs it.
     *
     * @param cause what was thrown while the connection was made, read or written
     */
    public void fail(Throwable cause) {
        fault = cause; // first: what follows may fail for the same reason, and is then done by finishEnd
        FaultLog.report("connection ended by a fault of this node: peer=", peer, cause);
        end(ended(cause));
    }

    /**
     * Ends the connection; the first call counts.
     *
     * @param cause why, for those who are told of the end
     */
    public void end(IOException cause) {
        if (ended.compareAndSet(false, true)) {
            finishEnd(cause);
        }
    }

    /** Repeats the steps of the connection's end that a fault has prevented; does nothing where all are done. */
    public void finishEnd() {
        Throwable cause = fault;
        if (cause != null || (ended.get() && !finished) || output.isBroken()) {
            ended.set(true);
            finishEnd(ended(cause));
        }
    }

    private IOException ended(@Nullable Throwable fault) {
        return new ConnectionEndedException(
                EndKind.FAULT, "connection ended by a fault of this node: peer=" + peer + " cause=" + fault, fault);
    }

    /** Does the steps of the connection's end; each may be done twice. */
    private synchronized void finishEnd(IOException cause) {
        if (finished) {
            return;
        }
        try {
            ReceiveLeader loop = leader;
            if (loop != null) {
                loop.remove(this);
            }
            output.close();
            try {
                carrier.close();
            } catch (IOException e) {
                cause.addSuppressed(e);
            }
            frames.ended(this, cause);
            finished = true;
            fault = null;
        } catch (Throwable e) {
            fault = e;
            FaultLog.report("end of a connection is tried again: peer=", peer, e);
        }
    }

    /**
     * Returns the figures of this connection now.
     *
     * @return figures, of which none is older than the call
     */
    public ConnectionStats stats() {
        PendingOutput.Added added = output.added();
        Traffic traffic = new Traffic(
                received.get(), output.written(), framesIn.get(), added.frames(), ticksIn.get(), added.ticks());
        return new ConnectionStats(peer, since, carrier.isEncrypted(), isHidden(), traffic, added.pendingBytes());
    }

    /**
     * Returns the address of the peer, for messages.
     *
     * @return address as the carrier shows it
     */
    public String remote() {
        return carrier.remote();
    }

    @Override
    public String toString() {
        return peer + " at " + carrier.remote();
    }
}
