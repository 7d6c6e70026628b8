package dev.touchstone.queue.torture;

import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.Lease;
import dev.touchstone.queue.QueueCursor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Consumes: from the queue in every way that removes at once, or from a cursor by leases, some of which come back. */
final class SoakReader {
    private static final Duration PATIENCE = Duration.ofMillis(5);
    private static final int MAX_HELD = 50;

    private final Soak soak;
    private final DiskQueue<byte[]> queue;
    private final Calls calls;
    private final SplittableRandom random;
    private final Arrivals[] arrivals;
    private final long[] last = new long[Ledger.PRODUCERS];
    private final List<Lease<byte[]>> held = new ArrayList<>();
    private long lastSequence;

    /** @param arrivals where this reader and others of the same cursor say what they removed */
    SoakReader(Soak soak, Calls calls, int number, Arrivals[] arrivals) {
        this.soak = soak;
        this.queue = soak.queue();
        this.calls = calls;
        this.random = new SplittableRandom(soak.seed() + 100 + number);
        this.arrivals = arrivals;
    }

    void readQueue() {
        while (!soak.isBroken()) {
            int choice = random.nextInt(4000);
            boolean done = soak.writersDone();
            if (choice == 0) {
                iterate(random.nextInt(500));
            } else if (choice < 40) {
                calls.call("peek", () -> queue.peek() == null);
            } else if (choice < 80) {
                calls.call("size", queue::size);
            } else if (choice < 120) {
                drainSome();
            } else if (!take(remove(choice), last) && done && queue.isEmpty()) {
                return;
            }
            boolean unused = Thread.interrupted();
        }
    }

    void readCursor(String name) {
        QueueCursor<byte[]> cursor = queue.cursor(name);
        while (!soak.isBroken()) {
            boolean done = soak.writersDone();
            Lease<byte[]> lease = random.nextInt(8) == 0
                    ? calls.waiting("lease timed", () -> cursor.lease(PATIENCE))
                    : calls.<@Nullable Lease<byte[]>>call("lease", cursor::lease);
            if (lease != null) {
                seeFirst(lease);
                held.add(lease);
            }
            if (lease == null || held.size() > random.nextInt(MAX_HELD)) {
                endSome(lease == null);
            }
            if (lease == null && done && held.isEmpty() && cursor.longSize() == 0) {
                return;
            }
            boolean unused = Thread.interrupted();
        }
    }

    private byte @Nullable [] remove(int choice) {
        if (choice < 300) {
            return calls.waiting("take", () -> queue.blocking().take());
        }
        if (choice < 900) {
            return calls.waiting("poll timed", () -> queue.poll(PATIENCE));
        }
        if (choice < 1100) {
            return calls.waiting("poll timed", () -> queue.blocking().poll(PATIENCE.toNanos(), TimeUnit.NANOSECONDS));
        }
        return calls.<byte @Nullable []>call("poll", queue::poll);
    }

    private void drainSome() {
        List<byte[]> taken = new ArrayList<>();
        calls.call("drainTo", () -> queue.blocking().drainTo(taken, 1 + random.nextInt(40)));
        for (byte[] payload : taken) {
            take(payload, last);
        }
    }

    private boolean take(byte @Nullable [] payload, long[] before) {
        if (payload == null) {
            return false;
        }
        Element element = inOrder(payload, before, "out of order: ");
        arrivals[element.producer()].add(element.index());
        return true;
    }

    private Element inOrder(byte[] payload, long[] before, String complaint) {
        Element element = Element.parse(payload, soak.seed());
        if (element.index() <= before[element.producer()]) {
            soak.broken(complaint + element + " after " + before[element.producer()]);
        }
        before[element.producer()] = element.index();
        return element;
    }

    private void iterate(int most) {
        long[] before = new long[Ledger.PRODUCERS];
        calls.call("iterate", () -> {
            Iterator<byte[]> elements = queue.iterator();
            int count = 0;
            while (count < most && elements.hasNext()) {
                Element unused = inOrder(elements.next(), before, "iterated out of order: ");
                count++;
            }
            return count;
        });
    }

    /** What is handed out for the first time comes in order. */
    private void seeFirst(Lease<byte[]> lease) {
        if (lease.deliveries() == 1) {
            Element unused = inOrder(lease.element(), last, "leased out of order: ");
            if (lease.sequence() <= lastSequence) {
                soak.broken("leased sequence=" + lease.sequence() + " after " + lastSequence);
            }
            lastSequence = lease.sequence();
        }
    }

    private void endSome(boolean all) {
        for (int left = all ? held.size() : 1 + random.nextInt(held.size()); left > 0; left--) {
            Lease<byte[]> lease = held.remove(random.nextInt(held.size()));
            int choice = random.nextInt(20);
            if (choice == 0) {
                check(calls.call("nack", lease::nack), lease);
            } else if (choice == 1) {
                lease.close();
            } else {
                Element element = Element.parse(lease.element(), soak.seed());
                check(calls.call("ack", lease::ack), lease);
                arrivals[element.producer()].add(element.index());
                if (lease.ack() || lease.nack()) {
                    soak.broken("ended twice: sequence=" + lease.sequence());
                }
            }
        }
    }

    private void check(boolean ended, Lease<byte[]> lease) {
        if (!ended) {
            soak.broken("lease had ended: sequence=" + lease.sequence() + " deliveries=" + lease.deliveries());
        }
    }
}
