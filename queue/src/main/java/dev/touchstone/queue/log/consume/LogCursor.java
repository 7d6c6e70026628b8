package dev.touchstone.queue.log.consume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.LogClosedException;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.LogRefusedException;
import dev.touchstone.queue.log.consume.Deliveries.Delivery;
import dev.touchstone.queue.log.engine.RecordLog;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One position of consumption in a log: what it has consumed, what is out on lease, what comes next. Thread-safe. */
public final class LogCursor implements Closeable {
    /*
     * Lock:           one for every consumer of this cursor; then the file's and the store's monitors.
     * Invariants:     floor <= head <= committed + 1. Below the floor all is consumed; between floor and head a sequence is consumed
     *                 or in deliveries; from head on nothing was handed out, but iterators may have consumed some. The floor on disk
     *                 is at most the floor.
     */
    private final RecordLog log;
    private final CursorFile file;
    private final Consumed done;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Consumption core;

    @GuardedBy("lock")
    private final Deliveries deliveries;

    private volatile boolean dropped;

    /**
     * @param end the sequence that the log's next record will have
     * @param endOffset bytes of all records before it
     */
    public LogCursor(RecordLog log, CursorFile file, LogOptions options, long end, long endOffset) throws IOException {
        this.log = log;
        this.file = file;
        this.core = new Consumption(log, file, options, end, endOffset);
        this.done = core.done();
        this.deliveries = core.deliveries();
    }

    public long id() {
        return file.id();
    }

    public long floor() {
        return done.floor();
    }

    public long floorOffset() {
        return done.floorOffset();
    }

    /** Records appended and not consumed. */
    public long size() {
        return done.left(log::visible);
    }

    /** Records consumed since the log was opened. */
    public long removed() {
        return done.sinceOpen();
    }

    /** Records lost to damage since the log was opened. */
    public long skipped() {
        return done.skipped();
    }

    /** Records that are out on lease. */
    public int leased() {
        lock.lock();
        try {
            deliveries.firstReturned(); // which ends those that are out too long
            return deliveries.leased();
        } finally {
            lock.unlock();
        }
    }

    /** Gives the next record to {@code decoder}, removes it if asked to, and returns what the decoder made; null for none. */
    public <T> @Nullable T next(Function<byte[], T> decoder, boolean remove) throws IOException {
        lock.lock();
        try {
            checkOpen();
            return core.next(decoder, remove);
        } finally {
            lock.unlock();
        }
    }

    /** Hands out the next record until it is acknowledged, given back, or out too long; null where there is none to hand out. */
    public <T> @Nullable LogLease<T> lease(Function<byte[], T> decoder) throws IOException {
        lock.lock();
        try {
            checkOpen();
            return core.lease(this, decoder);
        } finally {
            lock.unlock();
        }
    }

    /** Consumes what was handed out; false where it is not out any more. */
    public boolean acknowledge(Delivery delivery) throws IOException {
        lock.lock();
        try {
            checkOpen();
            if (!deliveries.acknowledge(delivery)) {
                return false;
            }
            core.consume(delivery.sequence());
            return true;
        } finally {
            lock.unlock();
            log.arrivals().raise(); // a lease may be free
        }
    }

    /** Lets what was handed out be handed out again; false where it is not out any more. */
    public boolean giveBack(Delivery delivery) {
        lock.lock();
        try {
            return deliveries.giveBack(delivery);
        } finally {
            lock.unlock();
            log.arrivals().raise();
        }
    }

    /**
     * Consumes a record wherever it stands; false where it is consumed already.
     *
     * @throws IllegalStateException if there are too many gaps between records that were removed so
     */
    public boolean remove(long sequence) throws IOException {
        lock.lock();
        try {
            checkOpen();
            if (done.contains(sequence)) {
                return false;
            }
            if (done.wouldOverflow(sequence)) {
                throw new IllegalStateException("too many elements were removed out of order: sequence=" + sequence
                        + " most gaps=" + CursorFile.MAX_RANGES);
            }
            deliveries.remove(sequence);
            core.consume(sequence);
            return true;
        } finally {
            lock.unlock();
            log.arrivals().raise(); // a lease may be free
        }
    }

    public boolean isConsumed(long sequence) {
        if (done.isCertain(sequence)) {
            return sequence < done.floor();
        }
        lock.lock();
        try {
            return done.contains(sequence);
        } finally {
            lock.unlock();
        }
    }

    /** Consumes all that was appended before the call, also what is out on lease. */
    public void clear() throws IOException {
        lock.lock();
        try {
            checkOpen();
            core.clear();
        } catch (LogRefusedException nothingHasChanged) {
            throw nothingHasChanged;
        } catch (IOException e) {
            log.fail(e);
            throw e;
        } finally {
            lock.unlock();
            log.arrivals().raise();
        }
    }

    /** Consumes the oldest record; false where it is out on lease, or there is none. */
    public boolean dropOldest() throws IOException {
        lock.lock();
        try {
            return !core.isOldestOut() && core.next(payload -> payload, true) != null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until there may be something to hand out; false where {@code deadlineNanos} is past.
     *
     * @param lease whether it is to be leased, so that a lease must be free too
     */
    public boolean awaitRecord(long deadlineNanos, boolean lease) throws IOException, InterruptedException {
        long now = System.nanoTime();
        if (deadlineNanos - now <= 0) {
            return false;
        }
        long most;
        lock.lock();
        try {
            checkOpen();
            log.checkFailure();
            most = deliveries.nanosToDeadline(deadlineNanos - now);
        } finally {
            lock.unlock();
        }
        log.arrivals().await(() -> mayHaveNext(lease), now + most);
        return true;
    }

    private boolean mayHaveNext(boolean lease) {
        if (log.isEnded() || !lock.tryLock()) {
            return true; // somebody is at it: look again
        }
        try {
            boolean isReturned = deliveries.firstReturned() != null;
            boolean isFree = !lease || deliveries.hasRoom();
            return dropped || (isFree && (isReturned || done.left(log::visible) > deliveries.count()));
        } finally {
            lock.unlock();
        }
    }

    /** Brings the floor to the device, unless the cursor is dropped. */
    public void force() throws IOException {
        lock.lock();
        try {
            if (!dropped) {
                core.write();
            }
        } finally {
            lock.unlock();
        }
        forcedFloor();
    }

    /**
     * The floor that is in the file by now, once it is on the device; {@link Long#MAX_VALUE} where the cursor is dropped. The file may be
     * a record ahead of the floor, which is where a new cursor begins.
     */
    public long forcedFloor() throws IOException {
        long written = Math.min(file.state().floor(), floor());
        try {
            file.force();
            return written;
        } catch (IOException e) {
            if (dropped) {
                return Long.MAX_VALUE;
            }
            throw e;
        }
    }

    /** Ends this cursor: every use of it throws from now on. */
    public void drop() throws IOException {
        lock.lock();
        try {
            dropped = true;
            close();
            log.arrivals().raise();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            core.close();
        } finally {
            lock.unlock();
        }
    }

    private void checkOpen() throws LogClosedException {
        if (dropped) {
            throw new LogClosedException("cursor was dropped");
        }
        log.checkOpen();
    }
}
