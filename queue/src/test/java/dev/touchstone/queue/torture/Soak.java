package dev.touchstone.queue.torture;

import static dev.touchstone.queue.torture.Ledger.PRODUCERS;

import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.DiskQueueBuilder;
import dev.touchstone.queue.Durability;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Eight writers, two readers of the queue and one of a named cursor for a while, all operations mixed, a limit that makes writers wait,
 * threads interrupted at random: no call may take long, nothing may be lost, come twice, or come out of order.
 *
 * <p>Arguments: folder, durability, seconds, seed. Exit codes: 0 fine, 1 a promise was broken.
 */
final class Soak {
    private static final int READERS = 2;
    private static final int MAX_ELEMENTS = 20_000;
    private static final int GENERATION = 1;
    private static final String CURSOR = "audit";
    private static final long END_MILLIS = 50;

    private final DiskQueue<byte[]> queue;
    private final Ledger ledger;
    private final long seed;
    private final long deadline;
    private final PrintStream out = System.out;
    private final Arrivals[] arrivals = arrivals();
    private final Arrivals[] audited = arrivals();
    private final AtomicLongArray offered = new AtomicLongArray(PRODUCERS);
    private final Watchdog watchdog = new Watchdog(out, Watchdog.MAX_NANOS);
    private final List<Thread> writers = new ArrayList<>();
    private final List<Thread> readers = new ArrayList<>();
    private volatile boolean writersDone;
    private volatile boolean broken;

    private Soak(DiskQueue<byte[]> queue, Ledger ledger, long seed, long nanos) {
        this.queue = queue;
        this.ledger = ledger;
        this.seed = seed;
        this.deadline = System.nanoTime() + nanos;
    }

    private static Arrivals[] arrivals() {
        Arrivals[] each = new Arrivals[PRODUCERS];
        for (int i = 0; i < PRODUCERS; i++) {
            each[i] = new Arrivals();
        }
        return each;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path folder = Path.of(args[0]);
        Durability durability = Settings.durability(args[1]);
        long seed = Long.parseLong(args[3]);
        Settings settings = new Settings(durability, PRODUCERS, seed);
        Ledger ledger = Ledger.create(folder.resolveSibling(folder.getFileName() + ".ledger"), settings, GENERATION);
        DiskQueueBuilder<byte[]> builder = Settings.small(durability, folder).maxElements(MAX_ELEMENTS);
        Soak soak = new Soak(builder.open(), ledger, seed, TimeUnit.SECONDS.toNanos(Long.parseLong(args[2])));
        boolean ok = soak.run(durability);
        try (DiskQueue<byte[]> again = builder.open()) {
            if (!again.isEmpty() || again.cursor(CURSOR).longSize() > 0) {
                System.out.println("VIOLATION not empty when opened again: size=" + again.size() + " cursor="
                        + again.cursor(CURSOR).longSize());
                ok = false;
            }
        }
        System.exit(ok ? 0 : 1);
    }

    DiskQueue<byte[]> queue() {
        return queue;
    }

    long seed() {
        return seed;
    }

    byte[] element(int producer, long index) {
        return Element.make(seed, GENERATION, producer, index, ledger);
    }

    /** The producer goes on behind this element. */
    void offered(int producer, long index) {
        offered.set(producer, index);
    }

    /** The queue said that this element is not in it. */
    void leftOut(int producer, long index) {
        arrivals[producer].add(index);
        audited[producer].add(index);
    }

    boolean goesOn() {
        return !broken && System.nanoTime() - deadline < 0;
    }

    boolean writersDone() {
        return writersDone;
    }

    boolean isBroken() {
        return broken;
    }

    void broken(String what) {
        out.println("VIOLATION seed=" + seed + " " + what);
        broken = true;
    }

    private boolean run(Durability durability) throws InterruptedException {
        long start = System.nanoTime();
        queue.cursor(CURSOR);
        for (int w = 0; w < PRODUCERS; w++) {
            int producer = w;
            writers.add(start("writer-" + w, calls -> new SoakWriter(this, calls, producer).run()));
        }
        for (int r = 0; r < READERS; r++) {
            int reader = r;
            readers.add(start("reader-" + r, calls -> new SoakReader(this, calls, reader, arrivals).readQueue()));
        }
        readers.add(start("auditor", calls -> new SoakReader(this, calls, READERS, audited).readCursor(CURSOR)));
        Thread interrupter = start("interrupter", calls -> interrupt());
        for (Thread writer : writers) {
            writer.join();
        }
        writersDone = true;
        interrupter.join();
        for (Thread reader : readers) {
            while (reader.isAlive()) {
                reader.interrupt(); // it may wait for an element that does not come
                reader.join(END_MILLIS);
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        Calls calls = watchdog.watch(Thread.currentThread());
        long size = queue.longSize() + queue.cursor(CURSOR).longSize();
        calls.call("close", () -> {
            queue.close();
            return true;
        });
        watchdog.close();
        return report(durability, seconds, size);
    }

    private boolean report(Durability durability, double seconds, long size) {
        long all = 0;
        long lost = 0;
        long duplicated = 0;
        for (int producer = 0; producer < PRODUCERS; producer++) {
            all += offered.get(producer);
            for (Arrivals each : List.of(arrivals[producer], audited[producer])) {
                lost += each.lost(offered.get(producer));
                duplicated += each.duplicated();
            }
        }
        out.println("soak " + durability + " seed=" + seed + " seconds=" + Math.round(seconds) + " elements=" + all
                + " perSecond=" + Math.round(all / seconds) + " lost=" + lost + " duplicated=" + duplicated + " left="
                + size
                + " broken=" + broken);
        out.print(Calls.table(watchdog.watched()));
        if (lost + duplicated + size != 0) {
            out.println("VIOLATION lost, duplicated or left behind");
        }
        return lost + duplicated + size == 0 && !broken;
    }

    /** Some twenty interrupts a second: they may end a wait, and neither fail an operation nor the queue. */
    private void interrupt() {
        SplittableRandom random = new SplittableRandom(seed + 200);
        while (goesOn()) {
            LockSupport.parkNanos(random.nextInt(100_000_000));
            List<Thread> group = random.nextInt(3) == 0 ? readers : writers;
            group.get(random.nextInt(group.size())).interrupt();
        }
    }

    private interface Work {
        void run(Calls calls);
    }

    private Thread start(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run(watchdog.watch(Thread.currentThread()));
                    } catch (RuntimeException | Error e) {
                        broken(name + ": " + e);
                        e.printStackTrace(out);
                    }
                },
                name);
        thread.start();
        return thread;
    }
}
