package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.etf.TermWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What is to be written to one connection. Many threads encode frames into it, one at a time and briefly; whoever finds nobody writing
 * writes all that is there, also what others add meanwhile. Thread-safe.
 */
final class PendingOutput {
    /*
     * Lock:           `lock` guards `pending`, `flushing` and `closed`. `writing` belongs to the one who set `flushing`; where the
     *                 carrier takes no more, to the leader, who clears `stalled` and goes on when there is room.
     * Invariants:     bytes leave in the order of their frames. Where pending holds a frame somebody is flushing, or about to.
     * Bound:          pending <= high water mark + the frames of the threads that found it below; a sender above it waits.
     */
    private static final int CAPACITY = 64 << 10;
    private static final int MAX_KEPT = 1 << 20;

    private final Carrier carrier;
    private final FrameWriter frames; // guarded by lock
    private final int lowWater;
    private final int highWater;
    private final int maxFrameBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private TermWriter pending;
    private TermWriter writing;
    private ByteBuffer rest = ByteBuffer.allocate(0);
    private boolean flushing;
    private boolean closed;
    private final AtomicBoolean stalled = new AtomicBoolean();
    private final AtomicLong written = new AtomicLong(); // set by the flusher

    PendingOutput(Carrier carrier, FrameWriter frames, int lowWater, int highWater, int maxFrameBytes) {
        this.carrier = carrier;
        this.frames = frames;
        this.lowWater = lowWater;
        this.highWater = highWater;
        this.maxFrameBytes = maxFrameBytes;
        this.pending = newWriter();
        this.writing = newWriter();
    }

    private TermWriter newWriter() {
        return new TermWriter(CAPACITY, Integer.MAX_VALUE - CAPACITY); // frames are measured by encode
    }

    /**
     * Adds a frame.
     *
     * @param waitNanos most to wait for room; negative to need none
     * @return bytes that wait now; negative where there was no room, and nothing was added
     */
    int add(Connection.FrameBody frame, long waitNanos) throws InterruptedException {
        lock.lock();
        try {
            if (waitNanos >= 0 && !hasRoom() && !awaitRoom(waitNanos)) {
                return -1;
            }
            if (!closed) { // what is sent to a lost node is lost
                encode(frame);
            }
            return pending.position();
        } finally {
            lock.unlock();
        }
    }

    private void encode(Connection.FrameBody frame) {
        TermWriter out = pending;
        int start = out.position();
        boolean whole = false;
        try {
            out.putInt(0);
            frame.encode(frames.to(out));
            int end = out.position();
            int bytes = end - start - Integer.BYTES;
            if (bytes > maxFrameBytes) {
                throw new IllegalArgumentException(
                        "message too large: frameBytes=" + bytes + " maxFrameBytes=" + maxFrameBytes);
            }
            out.position(start);
            out.putInt(bytes);
            out.position(end);
            whole = true;
        } finally {
            if (!whole) {
                out.position(start);
            }
        }
    }

    private boolean hasRoom() {
        return closed || pending.position() < highWater;
    }

    private boolean awaitRoom(long waitNanos) throws InterruptedException {
        long left = waitNanos;
        while (!closed && pending.position() > lowWater) {
            if (left <= 0) {
                return false;
            }
            left = room.awaitNanos(left);
        }
        return true;
    }

    /** Writes what is pending, unless somebody does; true where the carrier took all. */
    boolean flush() throws IOException {
        while (take()) {
            if (!write()) {
                return false;
            }
        }
        return true;
    }

    /** The leader's: goes on with what the carrier did not take, if anything; true where it now took all. */
    boolean goOn() throws IOException {
        return !stalled.getAndSet(false) || (write() && flush());
    }

    private boolean take() {
        lock.lock();
        try {
            if (flushing || closed || pending.position() == 0) {
                return false;
            }
            flushing = true;
            TermWriter full = pending;
            pending = writing;
            writing = full;
            rest = ByteBuffer.wrap(full.array(), 0, full.position());
            room.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean write() throws IOException {
        while (rest.hasRemaining()) {
            int bytes = carrier.write(rest);
            if (bytes == 0) {
                stalled.set(true);
                return false;
            }
            written.lazySet(written.get() + bytes);
        }
        if (!carrier.flushed()) {
            stalled.set(true);
            return false;
        }
        lock.lock();
        try {
            writing = writing.array().length > MAX_KEPT ? newWriter() : writing;
            writing.position(0);
            flushing = false;
        } finally {
            lock.unlock();
        }
        return true;
    }

    /** Bytes that the carrier took. */
    long written() {
        return written.get();
    }

    /** Bytes that wait, without those being written. */
    int pendingBytes() {
        lock.lock();
        try {
            return pending.position();
        } finally {
            lock.unlock();
        }
    }

    /** Drops what is pending and lets senders go on; what they add is dropped, too. */
    void close() {
        lock.lock();
        try {
            closed = true;
            pending = new TermWriter(16);
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Most that a sender waits: for good. */
    static final long FOR_GOOD = TimeUnit.DAYS.toNanos(36_500);
}
