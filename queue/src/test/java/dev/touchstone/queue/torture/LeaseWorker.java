package dev.touchstone.queue.torture;

import dev.touchstone.queue.Lease;
import dev.touchstone.queue.QueueCursor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Worker of a cursor: holds a number of leases, acknowledges any of them, and gives some back. */
final class LeaseWorker {
    private static final Duration PATIENCE = Duration.ofMillis(2);
    private static final int NACK_ONE_IN = 16;

    private final QueueCursor<Payload> cursor;
    private final CursorWatch watch;
    private final SessionThreads threads;
    private final SplittableRandom random;
    private final int maxHeld;
    private final long[] last = new long[Ledger.PRODUCERS];
    private final List<Held> held = new ArrayList<>();

    private record Held(Lease<Payload> lease, Element element) {}

    LeaseWorker(
            QueueCursor<Payload> cursor,
            CursorWatch watch,
            SessionThreads threads,
            SplittableRandom random,
            int maxHeld) {
        this.cursor = cursor;
        this.watch = watch;
        this.threads = threads;
        this.random = random;
        this.maxHeld = maxHeld;
    }

    void run() {
        while (threads.goesOn()) {
            Lease<Payload> lease = lease();
            if (lease == null) {
                end(held.size());
            } else if (held.size() > maxHeld) {
                end(1 + random.nextInt(held.size()));
            }
        }
    }

    private @Nullable Lease<Payload> lease() {
        long asked = watch.now();
        Lease<Payload> lease;
        try {
            lease = cursor.lease(PATIENCE);
        } catch (InterruptedException nobodyInterrupts) {
            throw new IllegalStateException(nobodyInterrupts);
        }
        if (lease == null) {
            return null;
        }
        Element element = Element.parse(lease.element().bytes(), watch.seed());
        if (watch.leased(element, asked)) {
            if (element.index() <= last[element.producer()]) {
                threads.broken("leased out of order: " + element + " after " + last[element.producer()]);
            }
            last[element.producer()] = element.index();
        }
        held.add(new Held(lease, element));
        return lease;
    }

    private void end(int count) {
        for (int left = count; left > 0; left--) {
            Held any = held.remove(random.nextInt(held.size()));
            if (random.nextInt(NACK_ONE_IN) == 0) {
                watch.giveBack(any.element(), any.lease()::nack);
            } else {
                watch.acknowledge(any.element(), any.lease()::ack);
            }
        }
    }
}
