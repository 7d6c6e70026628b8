package dev.touchstone.queue.torture;

import static dev.touchstone.queue.torture.Ledger.CURSORS;

import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.DiskQueueBuilder;
import dev.touchstone.queue.Durability;
import dev.touchstone.queue.Lease;
import dev.touchstone.queue.QueueCursor;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Soak of leases whose holders die: four writers, and for each of four cursors two workers that end at random and leave their leases to run
 * out; a successor takes the place of each. Every element is delivered to every cursor until it is acknowledged, and never after.
 *
 * <p>Arguments: folder, durability, seconds, seed. Exit codes: 0 fine, 1 a promise was broken.
 */
final class DyingConsumers {
    private static final int WRITERS = 4;
    private static final int WORKERS = 2;
    private static final int GENERATION = 1;
    private static final int MAX_ELEMENTS = 20_000;
    private static final int MAX_LEASES = 5_000;
    private static final int MAX_HELD = MAX_LEASES / WORKERS;
    private static final int DIE_ONE_IN = 1_000;
    private static final Duration LEASE_TIME = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofMillis(20);
    private static final long JOIN_MILLIS = TimeUnit.MINUTES.toMillis(5);

    private final DiskQueue<byte[]> queue;
    private final Ledger ledger;
    private final long seed;
    private final long deadline;
    private final PrintStream out = System.out;
    private final AtomicLongArray offered = new AtomicLongArray(WRITERS);
    private final AtomicLong deaths = new AtomicLong();
    private final AtomicLong leftBehind = new AtomicLong();
    private final AtomicLong expired = new AtomicLong();
    private final Removals[][] removals = new Removals[CURSORS.size()][WRITERS];
    private final Watchdog watchdog;
    private volatile boolean writersDone;
    private volatile boolean broken;

    private DyingConsumers(DiskQueue<byte[]> queue, Ledger ledger, long seed, long nanos, long callNanos) {
        this.queue = queue;
        this.ledger = ledger;
        this.seed = seed;
        this.deadline = System.nanoTime() + nanos;
        this.watchdog = new Watchdog(out, callNanos);
        for (Removals[] cursor : removals) {
            Arrays.setAll(cursor, producer -> new Removals());
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path folder = Path.of(args[0]);
        Durability durability = Settings.durability(args[1]);
        long seed = Long.parseLong(args[3]);
        long nanos = TimeUnit.SECONDS.toNanos(Long.parseLong(args[2]));
        System.exit(run(folder, durability, nanos, Watchdog.MAX_NANOS, seed) ? 0 : 1);
    }

    /** Runs for about {@code nanos}, and returns whether every promise was kept. A call that takes longer than {@code callNanos} ends the process. */
    static boolean run(Path folder, Durability durability, long nanos, long callNanos, long seed)
            throws IOException, InterruptedException {
        Settings settings = new Settings(durability, WRITERS, seed);
        Ledger ledger = Ledger.create(folder.resolveSibling(folder.getFileName() + ".ledger"), settings, GENERATION);
        DiskQueueBuilder<byte[]> builder =
                Settings.small(durability, folder).maxElements(MAX_ELEMENTS).leases(MAX_LEASES, LEASE_TIME);
        boolean ok;
        try (DiskQueue<byte[]> queue = builder.open()) {
            DyingConsumers soak = new DyingConsumers(queue, ledger, seed, nanos, callNanos);
            ok = soak.run(durability);
        }
        try (DiskQueue<byte[]> again = builder.open()) {
            for (int cursor = 0; cursor < CURSORS.size(); cursor++) {
                long size = cursor(again, cursor).longSize();
                if (size != 0) {
                    System.out.println("VIOLATION not empty when opened again: cursor=" + cursor + " size=" + size);
                    ok = false;
                }
            }
        }
        return ok;
    }

    private static QueueCursor<byte[]> cursor(DiskQueue<byte[]> queue, int cursor) {
        return cursor == 0 ? queue : queue.cursor(CURSORS.get(cursor));
    }

    private boolean run(Durability durability) throws InterruptedException {
        long start = System.nanoTime();
        CURSORS.subList(1, CURSORS.size()).forEach(queue::cursor);
        List<Thread> writers = new ArrayList<>();
        for (int w = 0; w < WRITERS; w++) {
            int producer = w;
            writers.add(start("writer-" + w, calls -> offer(calls, producer)));
        }
        List<Thread> supervisors = new ArrayList<>();
        for (int cursor = 0; cursor < CURSORS.size(); cursor++) {
            for (int w = 0; w < WORKERS; w++) {
                int of = cursor;
                int number = w;
                supervisors.add(start("supervisor-" + of + "-" + w, calls -> supervise(calls, of, number)));
            }
        }
        for (Thread writer : writers) {
            writer.join();
        }
        writersDone = true;
        for (Thread supervisor : supervisors) {
            supervisor.join(JOIN_MILLIS);
            if (supervisor.isAlive()) {
                broken("the queue is not emptied: " + supervisor.getName());
                Watchdog.dump(out);
                return false;
            }
        }
        watchdog.close();
        return report(durability, (System.nanoTime() - start) / 1e9);
    }

    private void offer(Calls calls, int producer) {
        for (long index = 1; !broken && System.nanoTime() - deadline < 0; index++) {
            byte[] payload = Element.make(seed, GENERATION, producer, index, ledger);
            if (!calls.call("offer", () -> queue.offer(payload))) {
                broken("offer returned false");
            }
            offered.set(producer, index);
        }
    }

    /** Starts a worker again whenever it has died, until the cursor has nothing left. */
    private void supervise(Calls calls, int cursor, int number) {
        SplittableRandom random = new SplittableRandom(Element.mix(seed, GENERATION, cursor, number));
        boolean done = false;
        while (!done && !broken) {
            Worker worker = new Worker(cursor, random.split());
            Thread thread = new Thread(() -> guarded(() -> worker.run(calls)), "worker-" + cursor + "-" + number);
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException nobodyInterrupts) {
                throw new IllegalStateException(nobodyInterrupts);
            }
            done = worker.done;
        }
    }

    /** A worker from its birth to its death, or until the cursor is empty. */
    private final class Worker {
        private final int cursor;
        private final QueueCursor<byte[]> source;
        private final SplittableRandom random;
        private final List<Lease<byte[]>> held = new ArrayList<>();
        private volatile boolean done;

        Worker(int cursor, SplittableRandom random) {
            this.cursor = cursor;
            this.source = cursor(queue, cursor);
            this.random = random;
        }

        void run(Calls calls) {
            int most = 1 + random.nextInt(MAX_HELD);
            while (!broken) {
                if (!writersDone && random.nextInt(DIE_ONE_IN) == 0) {
                    deaths.incrementAndGet();
                    leftBehind.addAndGet(held.size());
                    return;
                }
                boolean last = writersDone;
                long asked = System.nanoTime();
                Lease<byte[]> lease = calls.waiting("lease", () -> source.lease(PATIENCE));
                if (lease != null) {
                    see(lease, asked);
                    held.add(lease);
                }
                if (lease == null || held.size() > most) {
                    end(calls, lease == null ? held.size() : 1 + random.nextInt(held.size()));
                }
                if (lease == null && last && held.isEmpty() && source.longSize() == 0) {
                    done = true;
                    return;
                }
            }
        }

        private void see(Lease<byte[]> lease, long asked) {
            Element element = Element.parse(lease.element(), seed);
            if (removals[cursor][element.producer()].wasRemovedBefore(element.index(), asked)) {
                broken("delivered after its acknowledgement: cursor=" + cursor + " " + element);
            }
            if (lease.deliveries() > 1) {
                expired.incrementAndGet();
            }
        }

        private void end(Calls calls, int count) {
            for (int left = count; left > 0; left--) {
                Lease<byte[]> lease = held.remove(random.nextInt(held.size()));
                if (random.nextInt(32) == 0) {
                    calls.call("nack", lease::nack);
                } else if (calls.call("ack", lease::ack)) {
                    Element element = Element.parse(lease.element(), seed);
                    if (!removals[cursor][element.producer()].remove(element.index())) {
                        broken("acknowledged twice: cursor=" + cursor + " " + element);
                    }
                }
            }
        }
    }

    private boolean report(Durability durability, double seconds) {
        long all = 0;
        long lost = 0;
        for (int producer = 0; producer < WRITERS; producer++) {
            all += offered.get(producer);
            for (int cursor = 0; cursor < CURSORS.size(); cursor++) {
                lost += offered.get(producer) - removals[cursor][producer].count();
            }
        }
        long left = 0;
        for (int cursor = 0; cursor < CURSORS.size(); cursor++) {
            left += cursor(queue, cursor).longSize();
        }
        out.println("dying " + durability + " seed=" + seed + " seconds=" + Math.round(seconds) + " elements=" + all
                + " perSecond=" + Math.round(all / seconds) + " deaths=" + deaths + " leasesLeftBehind=" + leftBehind
                + " redelivered=" + expired + " lost=" + lost + " left=" + left + " broken=" + broken);
        out.print(Calls.table(watchdog.watched()));
        if (lost + left != 0) {
            out.println("VIOLATION lost or left behind");
        }
        return lost + left == 0 && !broken;
    }

    private void broken(String what) {
        out.println("VIOLATION seed=" + seed + " " + what);
        broken = true;
    }

    private interface Work {
        void run(Calls calls);
    }

    private Thread start(String name, Work work) {
        Thread thread = new Thread(() -> guarded(() -> work.run(watchdog.watch(Thread.currentThread()))), name);
        thread.start();
        return thread;
    }

    private void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            broken(Thread.currentThread().getName() + ": " + e);
            e.printStackTrace(out);
        }
    }
}
