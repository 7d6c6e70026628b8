package dev.touchstone.queue.log.engine;

import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.Signal;
import dev.touchstone.queue.log.consume.LogCursor;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The limits of a log: room is acquired before a record is put, and is free again when the lowest floor passes it. */
final class Limiter {
    /*
     * Thread-safe; acquiring takes no lock. acquired counts every record that is or will be in the log, also while its append is under way, so
     * the limit holds at any moment. Both floors only grow; a reader that sees an old one refuses too early, never too late.
     */
    private static final long FREE_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final FileIo io;
    private final LogOptions options;
    private final boolean replica;
    private volatile LogOptions.Limits limits;
    private final Signal room;
    private final AtomicLong acquiredRecords = new AtomicLong();
    private final AtomicLong acquiredBytes = new AtomicLong();
    private volatile long floor;
    private volatile long floorOffset;
    private volatile long freeBytes = Long.MAX_VALUE;
    private final AtomicLong nextFreeCheck = new AtomicLong(System.nanoTime());

    /**
     * Creates the limits of a log that has these records.
     *
     * @param replica whether the limits must not depend on the files, which another replica has otherwise
     * @param records number of records that the log has or had, so that its next has sequence {@code records + 1}
     * @param bytes number of bytes of all these
     */
    Limiter(FileIo io, LogOptions options, boolean replica, Signal room, long records, long bytes) {
        this.io = io;
        this.options = options;
        this.replica = replica;
        this.limits = options.limits();
        this.room = room;
        acquiredRecords.set(records);
        acquiredBytes.set(bytes);
        countFrom(records + 1, bytes);
    }

    /** Counts from a record on, before which there are so many bytes, until a cursor has a floor. */
    final void countFrom(long sequence, long offset) {
        floorOffset = offset;
        floor = sequence;
    }

    /** Replaces the limits. */
    void use(LogOptions.Limits newLimits) {
        limits = newLimits;
        room.raise();
    }

    LogOptions.Limits limits() {
        return limits;
    }

    /** Acquires room for records of so many bytes in all; returns false where there is none. */
    boolean tryAcquire(int records, long bytes) throws IOException {
        if (limits.minFreeBytes() > 0 && freeBytes() < limits.minFreeBytes()) {
            return false;
        }
        for (; ; ) {
            long before = acquiredRecords.get();
            if (before + records - (floor - 1) > limits.records()) {
                return false;
            }
            if (acquiredRecords.compareAndSet(before, before + records)) {
                break;
            }
        }
        for (; ; ) {
            long before = acquiredBytes.get();
            if (before + bytes - floorOffset > limits.bytes() && !isEmptyBut(records)) {
                acquiredRecords.getAndAdd(-records);
                room.raise(); // somebody may have seen the count in between
                return false;
            }
            if (acquiredBytes.compareAndSet(before, before + bytes)) {
                return true;
            }
        }
    }

    /** Returns whether {@link #tryAcquire} would most likely succeed, with the disk as it was last looked at. */
    boolean hasRoom(int records, long bytes) {
        return hasRoom(limits, records, bytes);
    }

    /** Returns whether other limits than those in use would most likely leave room. */
    boolean hasRoom(LogOptions.Limits of, int records, long bytes) {
        long used = acquiredRecords.get() - (floor - 1);
        return freeBytes >= of.minFreeBytes()
                && used + records <= of.records()
                && (used == 0 || acquiredBytes.get() + bytes - floorOffset <= of.bytes());
    }

    long remainingRecords() {
        return Math.max(0, limits.records() - (acquiredRecords.get() - (floor - 1)));
    }

    /** Returns the last sequence for which room was acquired, once all of them are put. */
    long acquired() {
        return acquiredRecords.get();
    }

    /** Gives back what was acquired for a record and not put. */
    void giveBack(long bytes) {
        acquiredRecords.getAndDecrement();
        acquiredBytes.getAndAdd(-bytes);
        room.raise();
    }

    /** Tells that a floor has moved; takes the lock so that the last to come sees them all. */
    void consumed(List<LogCursor> keeping, SegmentStore segments) {
        synchronized (this) {
            LogCursor lowest = null;
            for (LogCursor cursor : keeping) {
                lowest = lowest == null || cursor.floor() < lowest.floor() ? cursor : lowest;
            }
            if (lowest != null) {
                countFrom(lowest.floor(), lowest.floorOffset());
            } else if (!replica) { // nobody consumes, so all that is there stays
                countFrom(
                        segments.oldestSequence(acquiredRecords.get() + 1), segments.oldestOffset(acquiredBytes.get()));
            }
        }
        room.raise();
    }

    /** Returns whether so much could ever be acquired. */
    boolean canHold(int records, long bytes) {
        return records <= limits.records() && (records == 1 || bytes <= limits.bytes());
    }

    private boolean isEmptyBut(int records) {
        return acquiredRecords.get() - records == floor - 1;
    }

    private long freeBytes() throws IOException {
        long due = nextFreeCheck.get();
        long now = System.nanoTime();
        if (now - due >= 0 && nextFreeCheck.compareAndSet(due, now + FREE_CHECK_NANOS)) {
            freeBytes = io.usableBytes(options.folder());
        }
        return freeBytes;
    }
}
