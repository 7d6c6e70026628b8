package dev.touchstone.messaging.dist;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.messaging.etf.TermTooLargeException;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.handshake.PeerCapabilities;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.report.FlightEvents;
import dev.touchstone.messaging.stats.EndKind;
import dev.touchstone.messaging.term.Pid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The frames that wait to be written to one connection. Thread-safe. */
final class PendingOutput {
    /*
     * Who calls:      any thread adds frames. A thread that finds nobody writing writes all frames, also those added meanwhile.
     *                 Where the carrier takes no more, or only large messages are left, the leader goes on (`stalled`).
     * Invariants:     where `pending` or `large` holds something somebody is flushing, or about to. `writing`, `rest` and `whole` belong
     *                 to the thread that set `flushing`; where `stalled` is set, to the leader, who clears it. A large message is encoded
     *                 by its sender outside the lock, into a buffer of its own.
     * Ordering:       frames of one sender leave in the order in which they were added. Frames of other senders leave between the
     *                 fragments of a large message; those of its own sender stay behind the message, as many as the high water mark has
     *                 room for.
     * Bound:          pending <= high water mark + the frames of the threads that found it below + a turn's fragments + what is owed;
     *                 at most MAX_LARGE large messages of senders that wait; owed bytes <= MAX_OWED_BYTES + one message.
     * Failure:        a frame that cannot be encoded leaves nothing; its sender gets the exception. After `close` all frames are dropped.
     *                 An error that interrupts a change, of which any call may be the cause, leaves a mark that needs neither memory nor
     *                 stack: `broken`, or `encoding` without the lock. Then the next thread that flushes throws, and isBroken tells the beat.
     */

    /** A wait without end. */
    static final long FOR_GOOD = TimeUnit.DAYS.toNanos(36_500);

    /** No wait, and no need of room: for frames that the node owes its peer. */
    static final long OWED = -1;

    /** Returned instead of a number of bytes where there was no room, and nothing was added. */
    static final int NO_ROOM = -1;

    /** Returned where the peer has left owed frames unread for too long, and nothing was added. */
    static final int OVERDUE = -2;

    /** Most bytes that the node owes a peer, besides those that senders waited for: 64 MiB, or an eighth of the heap. */
    static final int MAX_OWED_BYTES =
            (int) Math.min(64 << 20, Runtime.getRuntime().maxMemory() >> 3);

    private static final int CAPACITY = 64 << 10;
    private static final int MAX_KEPT = 1 << 20;
    private static final int MAX_FRAME_BYTES_IN_PENDING = LargeMessage.FRAGMENT_BYTES + (8 << 10);
    private static final int MAX_LARGE = 4;
    private static final int MAX_WRITE_BYTES =
            256 << 10; // the JDK copies all bytes it is given, also those that the socket does not take
    private static final int MAX_TURN_BYTES = 1 << 20;
    private static final long RETRY_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Carrier carrier;
    private final NodeName name;
    private final PeerCapabilities peer;
    private final int lowWater;
    private final int highWater;
    private final int maxFrameBytes;
    /** A monitor, and no lock of {@code java.util.concurrent}: a stack that overflows may leave such a lock locked for good. */
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final FrameWriter frames;

    @GuardedBy("lock")
    private final ArrayDeque<LargeMessage> large = new ArrayDeque<>();

    @GuardedBy("lock")
    private TermWriter pending;

    @GuardedBy("lock")
    private TermWriter writing;

    @GuardedBy("lock")
    private int largeTaken; // places for large messages: being encoded, or in `large`

    @GuardedBy("lock")
    private long sequences;

    @GuardedBy("lock")
    private boolean flushing;

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private int waiting; // threads, for room

    @GuardedBy("lock")
    private long framesAdded;

    @GuardedBy("lock")
    private long ticksAdded;

    @GuardedBy("lock")
    private boolean encoding; // a frame, into bytes that others share

    @GuardedBy("lock")
    private boolean halfEncoded; // a frame that an error has interrupted

    private volatile boolean broken; // by an error while it was being written, or added
    private ByteBuffer rest = NOTHING; // used by the flushing thread only, as are the next two
    private ByteBuffer whole = NOTHING; // a large frame behind rest
    private long triedAt; // when the carrier last took less than it was given
    private final AtomicBoolean stalled = new AtomicBoolean();
    private final AtomicLong written = new AtomicLong(); // set by the flusher

    PendingOutput(
            Carrier carrier, NodeName name, PeerCapabilities peer, int lowWater, int highWater, int maxFrameBytes) {
        this.carrier = carrier;
        this.name = name;
        this.peer = peer;
        this.frames = new FrameWriter(peer);
        this.lowWater = lowWater;
        this.highWater = highWater;
        this.maxFrameBytes = maxFrameBytes;
        this.pending = newWriter();
        this.writing = newWriter();
    }

    private static TermWriter newWriter() {
        return new TermWriter(CAPACITY, Integer.MAX_VALUE - CAPACITY);
    }

    /**
     * Adds a frame.
     *
     * @param sender the process whose frames must keep their order; null for none
     * @param frame encodes the frame; called a second time if the frame turns out to be large
     * @param waitNanos the longest wait for room, or {@link #OWED}
     * @return bytes that wait now, {@link #NO_ROOM} or {@link #OVERDUE}
     * @throws IllegalArgumentException if the frame is larger than frames may be; nothing was added
     */
    int add(@Nullable Pid sender, Connection.FrameBody frame, long waitNanos) throws InterruptedException {
        synchronized (lock) {
            if (waitNanos == OWED && isOverdue()) {
                return OVERDUE;
            }
            long left = waitNanos;
            if (waitNanos != OWED && !hasRoom(sender)) {
                left = awaitRoom(sender, left, lowWater);
                if (left == 0) {
                    return NO_ROOM;
                }
            }
            for (LargeMessage ahead = ofSender(sender); ahead != null; ahead = ofSender(sender)) {
                int most = waitNanos == OWED ? maxFrameBytes : Math.min(maxFrameBytes, highWater);
                if (closed || encode(frame, ahead.behind(), most)) {
                    return closed ? 0 : Integer.MAX_VALUE;
                }
                left = awaitRoom(sender, left, 0); // a longer one has to be in fragments of its own
                if (left == 0) {
                    return NO_ROOM;
                }
            }
            if (closed) { // frames to a lost node are lost
                return 0;
            }
            if (encode(frame, pending, Math.min(maxFrameBytes, MAX_FRAME_BYTES_IN_PENDING))) {
                return large.isEmpty() ? pending.position() : Integer.MAX_VALUE;
            }
            if (!takePlace(left)) {
                return NO_ROOM;
            }
        }
        addLarge(sender, frame, waitNanos == OWED);
        return Integer.MAX_VALUE;
    }

    /** Waits until there is room for a sender's next frame; returns false where there is none in time. */
    boolean awaitRoom(@Nullable Pid sender, long waitNanos) throws InterruptedException {
        synchronized (lock) {
            return hasRoom(sender) || awaitRoom(sender, waitNanos, lowWater) > 0;
        }
    }

    /** Appends a frame to {@code out}; returns false, and appends nothing, where it has more bytes than frames in buffers may have. */
    @GuardedBy("lock")
    private boolean encode(Connection.FrameBody frame, TermWriter out, int maxBytes) {
        int start = out.position();
        boolean fits = false;
        halfEncoded |= encoding;
        encoding = true;
        try {
            out.limit((int) Math.min(Integer.MAX_VALUE - CAPACITY, (long) start + Integer.BYTES + maxBytes));
            out.putInt(0);
            frame.encode(frames.to(out));
            int bytes = out.position() - start - Integer.BYTES;
            fits = bytes <= maxBytes;
            out.putIntAt(start, bytes);
            if (fits) {
                count(bytes);
            }
        } catch (TermTooLargeException e) {
            fits = false;
        } finally {
            if (!fits) {
                out.position(start);
            }
            encoding = false;
        }
        if (!fits && maxBytes == maxFrameBytes) {
            throw tooLarge();
        }
        return fits;
    }

    @GuardedBy("lock")
    private void count(int bodyBytes) {
        if (bodyBytes > 0) {
            framesAdded++;
        } else {
            ticksAdded++;
        }
    }

    private IllegalArgumentException tooLarge() {
        return new IllegalArgumentException("message too large: maxFrameBytes=" + maxFrameBytes);
    }

    /** Takes one of the places for large messages; senders that wait hold only so many in memory. */
    @GuardedBy("lock")
    private boolean takePlace(long waitNanos) throws InterruptedException {
        long left = waitNanos;
        while (waitNanos != OWED && !closed && largeTaken >= MAX_LARGE) {
            if (left <= 0) {
                return false;
            }
            left = awaitNews(left);
        }
        largeTaken++;
        return true;
    }

    @SuppressWarnings("Finally") // an error that loses the place matters more than one of encoding
    private void addLarge(@Nullable Pid sender, Connection.FrameBody frame, boolean owed) {
        TermWriter out = new TermWriter(
                CAPACITY, (int) Math.min(Integer.MAX_VALUE - CAPACITY, (long) maxFrameBytes + Integer.BYTES));
        FrameWriter writer = new FrameWriter(peer).to(out);
        boolean encoded = false;
        try {
            out.putInt(0);
            frame.encode(writer);
            out.putIntAt(0, out.position() - Integer.BYTES);
            encoded = true;
        } catch (TermTooLargeException e) {
            throw tooLarge();
        } finally {
            try {
                usePlace(sender, owed, encoded ? out : null, writer);
            } catch (Error e) {
                broken = true;
                throw e;
            }
        }
    }

    /** Puts a large message into its place, or gives the place up where there is none. */
    private void usePlace(@Nullable Pid sender, boolean owed, @Nullable TermWriter encoded, FrameWriter writer) {
        synchronized (lock) {
            if (encoded != null && !closed) {
                boolean fragmentable = peer.canFragment() && writer.payloadOffset() <= LargeMessage.FRAGMENT_BYTES;
                large.add(
                        new LargeMessage(sender, owed, encoded.array(), encoded.position(), fragmentable, ++sequences));
            } else {
                largeTaken--;
                tellOfRoom();
            }
        }
    }

    /** Waits until somebody tells of room, or the time is up; returns the time that is left. */
    @GuardedBy("lock")
    private long awaitNews(long nanos) throws InterruptedException {
        long start = System.nanoTime();
        waiting++;
        try {
            TimeUnit.NANOSECONDS.timedWait(lock, nanos);
        } finally {
            waiting--;
        }
        return nanos - (System.nanoTime() - start);
    }

    @GuardedBy("lock")
    private void tellOfRoom() {
        if (waiting > 0) {
            lock.notifyAll();
        }
    }

    @GuardedBy("lock")
    private boolean hasRoom(@Nullable Pid sender) {
        return closed || (pending.position() < highWater && bytesOf(sender) < highWater);
    }

    /** Returns the bytes of a sender's large message and of the frames behind it that have not left. */
    @GuardedBy("lock")
    private long bytesOf(@Nullable Pid sender) {
        LargeMessage ahead = ofSender(sender);
        return ahead == null ? 0 : ahead.bytes();
    }

    /**
     * Waits until little enough is pending, and of the sender's large message at most {@code most} bytes. Returns the part of the time
     * that is left, 1 at least; 0 where the time is up before.
     */
    @GuardedBy("lock")
    private long awaitRoom(@Nullable Pid sender, long waitNanos, int most) throws InterruptedException {
        if (waitNanos == 0) {
            return 0;
        }
        long left = waitNanos;
        int pendingBytes = pendingBytes();
        Object blocked = FlightEvents.senderBlocks();
        try {
            while (!closed && (pending.position() > lowWater || bytesOf(sender) > most)) {
                if (left <= 0) {
                    return 0;
                }
                left = awaitNews(left);
            }
            return Math.max(1, left);
        } finally {
            FlightEvents.senderGoesOn(blocked, name, pendingBytes);
        }
    }

    @GuardedBy("lock")
    private @Nullable LargeMessage ofSender(@Nullable Pid sender) {
        if (large.isEmpty()) {
            return null; // as most often: makes no iterator
        }
        LargeMessage last = null;
        for (LargeMessage message : large) {
            if (message.isOf(sender)) {
                last = message;
            }
        }
        return last;
    }

    @GuardedBy("lock")
    private boolean isOverdue() {
        long owed = pending.position();
        for (LargeMessage message : large) {
            owed += message.owedBytes();
        }
        return owed > (long) highWater + MAX_OWED_BYTES;
    }

    /**
     * Writes the pending frames, unless another thread does, and a turn of the large messages.
     *
     * @return false where the leader has to go on: the carrier did not take all, or large messages are left
     * @throws ConnectionEndedException if an error has interrupted an earlier change
     */
    boolean flush() throws IOException {
        try {
            boolean withLarge = true;
            while (take(withLarge)) {
                if (!write()) {
                    return false;
                }
                withLarge = false; // but beside further small frames
            }
            return !leaveToLeader();
        } catch (RuntimeException | Error e) {
            broken = true;
            throw e;
        }
    }

    /** Writes the frames that were left to the leader, who calls this; returns true where now all is written. */
    boolean goOn() throws IOException {
        try {
            return !stalled.getAndSet(false) || (write() && flush());
        } catch (RuntimeException | Error e) {
            broken = true;
            throw e;
        }
    }

    /** Returns whether {@link #goOn} has something to do that it has not tried just now. */
    boolean mayGoOn() {
        return stalled.get() && System.nanoTime() - triedAt > RETRY_NANOS;
    }

    private boolean take(boolean withLarge) throws ConnectionEndedException {
        synchronized (lock) {
            if (!closed && isDamaged()) {
                throw new ConnectionEndedException(
                        EndKind.FAULT, "connection ended by an error while a frame was sent: peer=" + name);
            }
            if (flushing || closed || (pending.position() == 0 && (large.isEmpty() || !withLarge))) {
                return false;
            }
            flushing = true;
            TermWriter full = pending;
            int messages = large.size();
            TermWriter behind = writing;
            for (int i = 0; i < messages; i++) {
                LargeMessage message = large.remove();
                boolean isFragmented = message.isFragmented();
                framesAdded += isFragmented || !whole.hasRemaining() ? 1 : 0;
                if (isFragmented ? message.writeFragment(unlimited(full)) : !whole.hasRemaining()) {
                    whole = isFragmented ? whole : message.whole();
                    message.writeBehind(unlimited(isFragmented ? full : behind));
                    largeTaken--;
                } else {
                    large.add(message);
                }
            }
            pending = behind;
            writing = full;
            rest = ByteBuffer.wrap(full.array(), 0, full.position());
            tellOfRoom();
            return true;
        }
    }

    @GuardedBy("lock")
    private boolean isDamaged() {
        return broken || halfEncoded || encoding;
    }

    /** Returns whether an error has interrupted a change, so that no frame leaves any more. */
    boolean isBroken() {
        synchronized (lock) {
            return !closed && isDamaged();
        }
    }

    private static TermWriter unlimited(TermWriter out) {
        out.limit(Integer.MAX_VALUE - CAPACITY);
        return out;
    }

    /** Has the leader go on where only large messages are left, so that none of their turns delays the caller. */
    private boolean leaveToLeader() {
        synchronized (lock) {
            if (flushing || closed || large.isEmpty()) {
                return false;
            }
            flushing = true;
            triedAt = System.nanoTime() - 2 * RETRY_NANOS; // it need not wait for the carrier
            stalled.set(true);
            return true;
        }
    }

    private boolean write() throws IOException {
        long turn = 0;
        while (rest.hasRemaining() || whole.hasRemaining()) {
            if (!rest.hasRemaining()) {
                rest = whole;
                whole = NOTHING;
            }
            int limit = rest.limit();
            rest.limit(Math.min(limit, rest.position() + MAX_WRITE_BYTES));
            int bytes = carrier.write(rest);
            rest.limit(limit);
            if (bytes == 0) {
                return stall(System.nanoTime());
            }
            written.lazySet(written.get() + bytes);
            turn += bytes;
            if (turn >= MAX_TURN_BYTES && (rest.hasRemaining() || whole.hasRemaining())) {
                return stall(System.nanoTime() - 2 * RETRY_NANOS);
            }
        }
        if (!carrier.flushed()) {
            return stall(System.nanoTime());
        }
        synchronized (lock) {
            rest = NOTHING;
            writing = writing.array().length > MAX_KEPT ? newWriter() : writing;
            writing.position(0);
            flushing = false;
        }
        return true;
    }

    private boolean stall(long now) {
        triedAt = now;
        stalled.set(true);
        return false;
    }

    /** Returns the bytes that the carrier took. */
    long written() {
        return written.get();
    }

    /** Returns whether nothing waits; what is being written does not count. */
    boolean isEmpty() {
        synchronized (lock) {
            return pending.position() == 0 && large.isEmpty();
        }
    }

    @GuardedBy("lock")
    private int pendingBytes() {
        long bytes = pending.position();
        for (LargeMessage message : large) {
            bytes += message.bytes();
        }
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    /**
     * The counts of frames that were added.
     *
     * @param frames frames with a body; those of a large message count when they leave
     * @param ticks frames without a body
     * @param pendingBytes bytes that wait, without those being written
     */
    record Added(long frames, long ticks, int pendingBytes) {}

    /** Returns the counts as they are now. */
    Added added() {
        synchronized (lock) {
            return new Added(framesAdded, ticksAdded, pendingBytes());
        }
    }

    /** Drops all pending frames and lets senders go on; frames that they add are dropped, too. */
    void close() {
        synchronized (lock) {
            closed = true;
            pending = new TermWriter(16);
            large.clear();
            tellOfRoom();
        }
    }
}
