package dev.touchstone.queue;

import dev.touchstone.queue.log.LogRefusedException;
import dev.touchstone.queue.log.consume.RecordCursor;
import dev.touchstone.queue.log.consume.RecordLease;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A cursor over a log's: codec, dead letters and exceptions. User code runs here, under no lock. */
final class ElementCursor<T> implements QueueCursor<T> {
    static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE / 2);

    private final RecordCursor cursor;
    private final Codec<T> codec;
    private final Redelivery redelivery;
    private final boolean identity;

    /**
     * The treatment of elements that are handed out again.
     *
     * @param maxDeliveries number of deliveries after which an element goes to {@code deadLetters}
     * @param first delay after the first delivery; doubles with each that follows
     * @param max longest delay
     * @param deadLetters receiver of elements that are given up; null for none, so that elements come again for ever
     */
    record Redelivery(int maxDeliveries, Duration first, Duration max, DeadLetter.@Nullable Handler deadLetters) {

        Duration delay(int deliveries) {
            long longest = nanos(max);
            long delay = nanos(first);
            for (int doubled = 1; doubled < deliveries && delay > 0 && delay < longest; doubled++) {
                delay *= 2;
            }
            return Duration.ofNanos(Math.min(delay, longest));
        }

        boolean isSpent(int deliveries) {
            return deadLetters != null && deliveries >= maxDeliveries;
        }
    }

    @SuppressWarnings("ReferenceEquality") // only for this very codec need a poll not decode before it consumes
    ElementCursor(RecordCursor cursor, Codec<T> codec, Redelivery redelivery) {
        this.cursor = cursor;
        this.codec = codec;
        this.redelivery = redelivery;
        this.identity = codec == Codec.bytes();
    }

    RecordCursor log() {
        return cursor;
    }

    @Override
    public @Nullable T poll() {
        try {
            if (identity) {
                byte[] payload = cursor.poll();
                return payload == null ? null : codec.decode(payload);
            }
            for (RecordLease lease = cursor.reserve(); lease != null; lease = cursor.reserve()) {
                T element = decode(lease);
                if (element != null && acknowledge(lease)) {
                    return element;
                }
            }
            return null;
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public @Nullable T peek() {
        try {
            byte[] payload = cursor.peek();
            if (payload == null) {
                return null;
            }
            T element = null;
            try {
                element = codec.decode(payload);
            } catch (Error e) {
                throw e;
            } catch (Throwable undecodable) {
                // it is decoded again with the element reserved
            }
            return element == null ? peekReserved() : element;
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    /** Peeks as {@link #poll} does, so that an element that cannot be decoded makes way for others. */
    private @Nullable T peekReserved() throws IOException {
        for (RecordLease lease = cursor.reserve(); lease != null; lease = cursor.reserve()) {
            T element = decode(lease);
            if (element != null) {
                boolean unused = lease.release();
                return element;
            }
        }
        return null;
    }

    /** Consumes the element of a lease, which another call may take at once where the disk is too full to say so. */
    private static boolean acknowledge(RecordLease lease) throws IOException {
        try {
            return lease.acknowledge();
        } catch (LogRefusedException full) {
            boolean unused = lease.release();
            throw full;
        }
    }

    /** Returns the element of a lease, or null where it went to the dead letters because it cannot be decoded. */
    private @Nullable T decode(RecordLease lease) throws IOException {
        Throwable undecodable;
        try {
            return Objects.requireNonNull(codec.decode(lease.payload()), "codec returned null");
        } catch (Throwable thrown) { // also a checked exception: no compiler sees what other languages throw
            undecodable = thrown;
        }
        if (!(undecodable instanceof Error) && redelivery.isSpent(lease.deliveries())) {
            bury(lease, undecodable);
            return null;
        }
        boolean unused = lease.giveBack(redelivery.delay(lease.deliveries()));
        if (undecodable instanceof Error error) {
            throw error;
        }
        throw new UndecodableElementException(lease.sequence(), lease.deliveries(), undecodable);
    }

    /**
     * Gives an element that was handed out often enough to the dead letters.
     *
     * @param undecodable cause for which it cannot be decoded; null if it was handed out once too often
     */
    private void bury(RecordLease lease, @Nullable Throwable undecodable) throws IOException {
        DeadLetter.Handler handler = Objects.requireNonNull(redelivery.deadLetters());
        boolean stored = false;
        try {
            handler.accept(new DeadLetter(
                    lease.sequence(),
                    cursor.name(),
                    undecodable == null ? DeadLetter.Reason.DELIVERIES : DeadLetter.Reason.UNDECODABLE,
                    undecodable == null ? "not acknowledged" : Failures.describe(undecodable),
                    undecodable == null ? lease.deliveries() - 1 : lease.deliveries(),
                    lease.payload()));
            stored = true;
        } finally {
            if (!stored) {
                boolean unused = lease.giveBack(redelivery.max());
            }
        }
        boolean unused = acknowledge(lease); // false where the handler took longer than the lease: it is buried again
    }

    @Override
    public @Nullable T poll(Duration timeout) throws InterruptedException {
        long deadline = deadline(timeout);
        T element = poll();
        while (element == null && await(deadline, false)) {
            element = poll();
        }
        return element;
    }

    @Override
    public @Nullable Lease<T> lease() {
        try {
            for (RecordLease lease = cursor.lease(); lease != null; lease = cursor.lease()) {
                if (redelivery.isSpent(lease.deliveries() - 1)) {
                    bury(lease, null);
                    continue;
                }
                T element = decode(lease);
                if (element != null) {
                    return new ElementLease<>(lease, element, redelivery);
                }
            }
            return null;
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public @Nullable Lease<T> lease(Duration timeout) throws InterruptedException {
        long deadline = deadline(timeout);
        Lease<T> lease = lease();
        while (lease == null && await(deadline, true)) {
            lease = lease();
        }
        return lease;
    }

    private boolean await(long deadline, boolean lease) throws InterruptedException {
        try {
            return cursor.awaitRecord(deadline, lease);
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    private static long deadline(Duration timeout) {
        return System.nanoTime() + nanos(timeout);
    }

    /** Returns nanoseconds: none for a negative time, at most half of what a clock of nanoseconds can tell apart. */
    static long nanos(Duration timeout) {
        if (timeout.isNegative()) {
            return 0;
        }
        return timeout.compareTo(FOR_EVER) > 0 ? FOR_EVER.toNanos() : timeout.toNanos();
    }

    /** Returns the time, cut to the longest that a clock of nanoseconds can tell apart; refuses a negative one. */
    static Duration notNegative(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("time is negative: time=" + time);
        }
        return Duration.ofNanos(nanos(time));
    }

    @Override
    public long longSize() {
        return cursor.size();
    }

    @Override
    public int leased() {
        return cursor.leased();
    }

    @Override
    public boolean remove(long sequence) {
        try {
            return cursor.remove(sequence);
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public void clear() {
        try {
            cursor.clear();
        } catch (IOException e) {
            throw Failures.of(e);
        }
    }

    @Override
    public String toString() {
        return "QueueCursor[size=" + longSize() + "]";
    }

    private record ElementLease<T>(RecordLease log, T element, Redelivery redelivery) implements Lease<T> {

        @Override
        public long sequence() {
            return log.sequence();
        }

        @Override
        public int deliveries() {
            return log.deliveries();
        }

        @Override
        public boolean ack() {
            try {
                return log.acknowledge();
            } catch (IOException e) {
                throw Failures.of(e);
            }
        }

        @Override
        public boolean nack() {
            return nack(redelivery.delay(log.deliveries()));
        }

        @Override
        public boolean nack(Duration delay) {
            try {
                return log.giveBack(notNegative(delay));
            } catch (IOException e) {
                throw Failures.of(e);
            }
        }

        @Override
        public boolean extend(Duration time) {
            try {
                return log.extend(notNegative(time));
            } catch (IOException e) {
                throw Failures.of(e);
            }
        }

        @Override
        public void close() {
            boolean unused = nack();
        }
    }
}
