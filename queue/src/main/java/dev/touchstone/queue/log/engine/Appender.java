package dev.touchstone.queue.log.engine;

import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.Signal;
import dev.touchstone.queue.log.commit.AppendCompletion;
import dev.touchstone.queue.log.commit.AsyncCommits;
import dev.touchstone.queue.log.commit.LogWriter;
import dev.touchstone.queue.log.consume.ConsumerRegistry;
import dev.touchstone.queue.log.consume.LogCursor;
import dev.touchstone.queue.log.segment.DelayedPayload;
import dev.touchstone.queue.log.segment.RecordFormat;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The appending side of a log, which keeps to the log's limits. Thread-safe. */
final class Appender {
    private static final long DISK_RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final RecordLog log;
    private final LogOptions options;
    private final LogWriter writer;
    private final AsyncCommits async;
    private final @Nullable Limiter limiter;
    private final ConsumerRegistry cursors;
    private final Signal room;
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    /**
     * Creates the appending side of {@code log}.
     *
     * @param limiter null for no limits
     */
    Appender(
            RecordLog log,
            LogOptions options,
            LogWriter writer,
            AsyncCommits async,
            @Nullable Limiter limiter,
            ConsumerRegistry cursors,
            Signal room) {
        this.log = log;
        this.options = options;
        this.writer = writer;
        this.async = async;
        this.limiter = limiter;
        this.cursors = cursors;
        this.room = room;
    }

    /** Appends a record: see {@link RecordLog#append(long, byte[])}. */
    long append(long waitNanos, byte[] payload) throws IOException, InterruptedException {
        return append(waitNanos, RecordFormat.APPENDED, payload);
    }

    /** Appends a delayed record: see {@link RecordLog#append(long, byte[], Duration)}. */
    long append(long waitNanos, byte[] element, Duration delay) throws IOException, InterruptedException {
        long notBefore = log.clock().millis() + delay.plusNanos(999_999).toMillis();
        return append(waitNanos, RecordFormat.DELAYED, DelayedPayload.encode(element, notBefore));
    }

    /** Appends a record of a kind. */
    long append(long waitNanos, int kind, byte[] payload) throws IOException, InterruptedException {
        if (limiter != null && !acquire(limiter, waitNanos, 1, RecordFormat.recordBytes(payload.length))) {
            return 0;
        }
        long put = put(kind, payload, true);
        writer.await(put);
        return Math.abs(put);
    }

    /** Appends records together: see {@link RecordLog#appendAll}. */
    boolean appendAll(long waitNanos, List<byte[]> payloads) throws IOException, InterruptedException {
        long bytes = 0;
        for (byte[] payload : payloads) {
            bytes += RecordFormat.recordBytes(payload.length);
        }
        if (limiter != null && !acquire(limiter, waitNanos, payloads.size(), bytes)) {
            return false;
        }
        int last = payloads.size() - 1;
        int next = 0;
        try {
            while (next < last) {
                put(RecordFormat.APPENDED, payloads.get(next++), false);
            }
            writer.await(put(RecordFormat.APPENDED, payloads.get(next++), true));
        } finally {
            if (next <= last) {
                writer.request(); // others may wait for what this thread has sealed
            }
            while (next <= last) {
                giveBack(payloads.get(next++));
            }
        }
        return true;
    }

    /** Appends a record without waiting for it: see {@link RecordLog#appendAsync}. */
    boolean appendAsync(long waitNanos, byte[] payload, AppendCompletion completion)
            throws IOException, InterruptedException {
        if (limiter != null && !acquire(limiter, waitNanos, 1, RecordFormat.recordBytes(payload.length))) {
            return false;
        }
        long sequence = Math.abs(put(RecordFormat.APPENDED, payload, false));
        if (options.commit() == LogOptions.Commit.MEMORY) {
            completion.done(null);
        } else {
            async.await(sequence, completion);
        }
        return true;
    }

    /** Puts a record; gives its room back where that fails. */
    private long put(int kind, byte[] payload, boolean wait) throws IOException {
        boolean put = false;
        try {
            long sequence = writer.put(kind, payload, wait);
            put = true;
            return sequence;
        } finally {
            if (!put) {
                giveBack(payload);
            }
        }
    }

    private void giveBack(byte[] payload) {
        if (limiter != null) {
            limiter.giveBack(RecordFormat.recordBytes(payload.length));
        }
    }

    private boolean acquire(Limiter limits, long waitNanos, int records, long bytes)
            throws IOException, InterruptedException {
        if (!limits.canHold(records, bytes)) {
            throw new IllegalArgumentException("more than the queue may ever hold: records=" + records + " bytes="
                    + bytes + " limits=" + limits.limits());
        }
        boolean drops = limits.limits().whenFull() == LogOptions.WhenFull.DROP_OLDEST;
        long start = System.nanoTime();
        while (!limits.tryAcquire(records, bytes)) {
            log.checkOpen();
            writer.checkFailure();
            if (drops && (dropOldest() || awaitInFlight(limits))) {
                continue;
            }
            long left = waitNanos - (System.nanoTime() - start);
            if (left <= 0 || drops) {
                refused.getAndIncrement();
                return false;
            }
            // free space is not signalled, only looked at
            long most = limits.limits().minFreeBytes() > 0 ? DISK_RECHECK_NANOS : left;
            room.await(() -> log.isEnded() || limits.hasRoom(records, bytes), System.nanoTime() + Math.min(left, most));
        }
        return true;
    }

    private boolean dropOldest() throws IOException {
        long lowest = cursors.lowestFloor(1);
        boolean any = false;
        for (LogCursor cursor : cursors.keeping()) {
            any |= cursor.floor() == lowest && cursor.dropOldest();
        }
        if (any) {
            dropped.getAndIncrement();
        }
        return any;
    }

    /** Commits records that are on their way, so that they can be dropped; returns false where there are none. */
    private boolean awaitInFlight(Limiter limits) throws IOException {
        if (limits.acquired() == log.committed()) {
            return false;
        }
        writer.commitOpen();
        Thread.yield();
        return true;
    }

    /** Replaces the limits of a log that has some. */
    void use(LogOptions.Limits limits) {
        Objects.requireNonNull(limiter).use(limits);
    }

    /** Has the limits count from a record on: see {@link RecordLog#countFrom}. */
    void countFrom(long sequence, long offset) {
        Objects.requireNonNull(limiter).countFrom(sequence, offset);
    }

    /** Waits until limits may leave room for records of so many bytes in all: see {@link RecordLog#awaitRoom}. */
    boolean awaitRoom(LogOptions.Limits limits, int records, long bytes, long deadlineNanos)
            throws InterruptedException {
        if (limiter == null) {
            return true;
        }
        room.await(() -> log.isEnded() || limiter.hasRoom(limits, records, bytes), deadlineNanos);
        return limiter.hasRoom(limits, records, bytes);
    }

    /** Returns the number of records that made room for others. */
    long dropped() {
        return dropped.get();
    }

    /** Returns the number of appends for which there was no room. */
    long refused() {
        return refused.get();
    }

    /** Returns the number of records for which there is room. */
    long remaining() {
        return limiter == null ? Long.MAX_VALUE : limiter.remainingRecords();
    }

    void floorMoved() {
        if (limiter != null) {
            limiter.consumed(cursors.keeping(), log.segments());
        }
    }
}
