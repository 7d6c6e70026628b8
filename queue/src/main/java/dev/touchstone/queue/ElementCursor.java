package dev.touchstone.queue;

import dev.touchstone.queue.log.consume.LogCursor;
import dev.touchstone.queue.log.consume.LogLease;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A cursor over a log's: codec and exceptions; everything else is the log's. */
final class ElementCursor<T> implements QueueCursor<T> {
    static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE / 2);

    private final LogCursor cursor;
    private final Function<byte[], T> decoder;

    ElementCursor(LogCursor cursor, Codec<T> codec) {
        this.cursor = cursor;
        this.decoder = codec::decode;
    }

    LogCursor log() {
        return cursor;
    }

    @Override
    public @Nullable T poll() {
        return next(true);
    }

    @Override
    public @Nullable T peek() {
        return next(false);
    }

    private @Nullable T next(boolean remove) {
        try {
            return cursor.next(decoder, remove);
        } catch (IOException e) {
            throw QueueException.of(e);
        }
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
            LogLease<T> lease = cursor.lease(decoder);
            return lease == null ? null : new ElementLease<>(lease);
        } catch (IOException e) {
            throw QueueException.of(e);
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
            throw QueueException.of(e);
        }
    }

    private static long deadline(Duration timeout) {
        return System.nanoTime() + nanos(timeout);
    }

    /** In nanoseconds, none where it is negative, and for ever being half of what a clock of nanoseconds can tell apart. */
    static long nanos(Duration timeout) {
        if (timeout.isNegative()) {
            return 0;
        }
        return timeout.compareTo(FOR_EVER) > 0 ? FOR_EVER.toNanos() : timeout.toNanos();
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
    public void clear() {
        try {
            cursor.clear();
        } catch (IOException e) {
            throw QueueException.of(e);
        }
    }

    @Override
    public String toString() {
        return "QueueCursor[size=" + longSize() + "]";
    }

    private record ElementLease<T>(LogLease<T> log) implements Lease<T> {

        @Override
        public T element() {
            return log.element();
        }

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
                throw QueueException.of(e);
            }
        }

        @Override
        public boolean nack() {
            return log.giveBack();
        }

        @Override
        public void close() {
            log.giveBack();
        }
    }
}
