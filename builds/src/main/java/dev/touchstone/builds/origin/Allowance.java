package dev.touchstone.builds.origin;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that one guest takes of what all guests share, beside an amount that each has for itself. Thread-safe. */
final class Allowance {
    /** Bytes that all guests may share for one purpose. */
    static final long MAX_SHARED_BYTES = Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 8);

    private final AtomicLong shared;
    private final int ownBytes;
    private long held; // guarded by this, as the next
    private boolean isClosed;

    /**
     * Creates the allowance of a guest that holds nothing.
     *
     * @param shared the sum of what all guests hold above their own bytes; not null
     * @param ownBytes bytes that the guest may always hold
     */
    Allowance(AtomicLong shared, int ownBytes) {
        this.shared = shared;
        this.ownBytes = ownBytes;
    }

    /** Notes how many bytes the guest holds now; returns false if that is more than there is for it. */
    synchronized boolean hold(long bytes) {
        if (isClosed) {
            return false;
        }
        long more = Math.max(ownBytes, bytes) - Math.max(ownBytes, held);
        held = bytes;
        long all = shared.addAndGet(more);
        return isOwn() || all <= MAX_SHARED_BYTES;
    }

    /** Notes that the guest holds more bytes than before; returns false if that is more than there is for it. */
    synchronized boolean add(long bytes) {
        return hold(held + bytes);
    }

    /** Returns whether the guest holds no more than its own bytes. */
    synchronized boolean isOwn() {
        return held <= ownBytes;
    }

    /** Returns whether the guest had better wait, since little is left of what all share. */
    boolean isScarce() {
        return shared.get() > MAX_SHARED_BYTES / 2 && !isOwn();
    }

    /** Gives everything back; the guest gets no more. */
    synchronized void close() {
        boolean unused = hold(0);
        isClosed = true;
    }
}
