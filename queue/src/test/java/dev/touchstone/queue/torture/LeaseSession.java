package dev.touchstone.queue.torture;

import static dev.touchstone.queue.torture.Ledger.CURSORS;

import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.Durability;
import dev.touchstone.queue.torture.Judge.Fault;
import dev.touchstone.queue.torture.Ledger.Count;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A process to be killed that consumes by leases: judges what the session before has left, then offers from several threads, leases with
 * two workers for each of four cursors, which acknowledge in random order and give some back, removes in the middle of the queue, and
 * flushes, until it is ended. Notes each answer in the ledger. SIGTERM closes the queue.
 *
 * <p>Arguments and exit codes: those of {@link Session}.
 */
final class LeaseSession {
    private static final int WORKERS = 2;
    private static final int MAX_BACKLOG = 8000;
    private static final int MAX_ITERATED = 2000;

    /** Leases of one worker; the last lets both workers of a cursor hold all that is in the queue. */
    private static final int[] MAX_HELD = {8, 100, 1500, MAX_BACKLOG};

    private static final int DELETER = 300;
    private static final int FLUSHER = 200;

    private final DiskQueue<Payload> queue;
    private final Ledger ledger;
    private final Settings settings;
    private final SessionThreads threads;
    private final int backlog;
    private final AtomicLong clock = new AtomicLong(Ledger.FIRST_STAMP);
    private final List<CursorWatch> watches = new ArrayList<>();
    private volatile boolean flushWanted;

    private LeaseSession(DiskQueue<Payload> queue, Ledger ledger, Settings settings) {
        this.queue = queue;
        this.ledger = ledger;
        this.settings = settings;
        this.threads = new SessionThreads(settings, ledger.generation());
        this.backlog = 100 + threads.random(0).nextInt(MAX_BACKLOG);
        for (int cursor = 0; cursor < CURSORS.size(); cursor++) {
            watches.add(new CursorWatch(ledger, cursor, clock, threads));
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path ledgerFile = Path.of(args[1]);
        Settings settings = Settings.of(args[5], args[6], args[7]);
        Fault fault = args[4].equals("cut") ? Fault.CUT : Fault.KILL;
        ReopenedCursors reopened =
                ReopenedCursors.open(Path.of(args[0]), Path.of(args[2]), Path.of(args[3]), fault, settings, System.out);
        if (settings.writers() == 0) {
            boolean drained = reopened.drain();
            reopened.queue().close();
            System.exit(reopened.ok() && drained ? 0 : SessionThreads.BROKEN);
        }
        if (!reopened.ok()) {
            Runtime.getRuntime().halt(SessionThreads.BROKEN);
        }
        CURSORS.subList(1, CURSORS.size()).forEach(reopened.queue()::cursor);
        reopened.queue().flush();
        Path unpublished = ledgerFile.resolveSibling(ledgerFile.getFileName() + ".new");
        Ledger ledger = Ledger.create(unpublished, settings, reopened.nextGeneration());
        reopened.carryOver(ledger);
        Ledger.publish(unpublished, ledgerFile);
        new LeaseSession(reopened.queue(), ledger, settings).run();
    }

    private void run() throws InterruptedException {
        for (int w = 0; w < settings.writers(); w++) {
            int producer = w;
            threads.start("writer-" + w, () -> offer(producer));
        }
        int held = MAX_HELD[threads.random(1).nextInt(MAX_HELD.length)];
        for (int cursor = 0; cursor < CURSORS.size(); cursor++) {
            for (int w = 0; w < WORKERS; w++) {
                SplittableRandom random = threads.random(400 + WORKERS * cursor + w);
                LeaseWorker worker = new LeaseWorker(
                        ReopenedCursors.cursor(queue, cursor), watches.get(cursor), threads, random, held);
                threads.start("worker-" + cursor + "-" + w, worker::run);
            }
        }
        threads.start("deleter", this::delete);
        threads.start("flusher", this::flush);
        threads.awaitEnd();
        queue.close();
        ledger.setClosed();
    }

    private void offer(int producer) {
        SplittableRandom random = threads.random(2 + producer);
        long index = ledger.get(Count.ATTEMPTED, producer);
        while (awaitSlot(producer, index + 1)) {
            index++;
            Payload payload = new Payload(Element.make(settings.seed(), ledger.generation(), producer, index, ledger));
            ledger.set(Count.ATTEMPTED, producer, index);
            long stamp = clock.get();
            if (!queue.offer(payload)) {
                threads.broken("offer returned false");
            }
            ledger.acknowledge(producer, index);
            if (settings.durability() == Durability.SYNCED) {
                ledger.synced(stamp);
            }
            if (random.nextInt(16) == 0) {
                while (longest() > backlog && threads.goesOn()) {
                    SessionThreads.pause();
                }
            }
        }
    }

    /** Waits until the removals of the element that has the ledger's slot are promised; false where the session ends. */
    private boolean awaitSlot(int producer, long index) {
        long old = index - Ledger.RING;
        for (int cursor = 0; old > 0 && cursor < CURSORS.size(); ) {
            if (!threads.goesOn()) {
                return false;
            }
            long removal = ledger.removal(cursor, producer, old);
            if (removal >= Ledger.FIRST_STAMP && removal <= Math.max(ledger.syncedStamp(), ledger.flushedStamp())) {
                cursor++;
            } else {
                flushWanted = true;
                SessionThreads.pause();
            }
        }
        return threads.goesOn();
    }

    private long longest() {
        long longest = 0;
        for (int cursor = 0; cursor < CURSORS.size(); cursor++) {
            longest = Math.max(longest, ReopenedCursors.cursor(queue, cursor).longSize());
        }
        return longest;
    }

    /** Removes some elements wherever they stand, by an iterator and by equality. */
    private void delete() {
        SplittableRandom random = threads.random(DELETER);
        while (threads.goesOn()) {
            LockSupport.parkNanos(random.nextInt(5_000_000));
            List<Payload> chosen = new ArrayList<>();
            Iterator<Payload> elements = queue.iterator();
            for (int left = random.nextInt(MAX_ITERATED); left > 0 && threads.goesOn() && elements.hasNext(); left--) {
                Payload payload = elements.next();
                int choice = random.nextInt(100);
                if (choice < 3) {
                    watches.get(0).remove(Element.parse(payload.bytes(), settings.seed()), () -> {
                        elements.remove();
                        return true;
                    });
                } else if (choice == 3 && chosen.size() < 5) {
                    chosen.add(payload);
                }
            }
            Collections.reverse(chosen);
            for (Payload payload : chosen) {
                watches.get(0)
                        .remove(Element.parse(payload.bytes(), settings.seed()), () -> queue.remove((Object) payload));
            }
        }
    }

    private void flush() {
        SplittableRandom random = threads.random(FLUSHER);
        long maxNanos = random.nextBoolean() ? 100_000_000 : 3_000_000_000L;
        while (threads.goesOn()) {
            long until = System.nanoTime() + random.nextLong(maxNanos);
            while (System.nanoTime() - until < 0 && !flushWanted && threads.goesOn()) {
                SessionThreads.pause();
            }
            flushWanted = false;
            long[] acked = new long[Ledger.PRODUCERS];
            for (int producer = 0; producer < acked.length; producer++) {
                acked[producer] = ledger.get(Count.ACKED, producer);
            }
            long stamp = clock.get();
            queue.flush();
            ledger.flushed(stamp);
            for (int producer = 0; producer < acked.length; producer++) {
                ledger.set(Count.FLUSHED_ACKED, producer, acked[producer]);
            }
        }
    }
}
