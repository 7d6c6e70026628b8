package dev.touchstone.queue.torture;

import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.torture.Judge.Fault;
import dev.touchstone.queue.torture.Ledger.Count;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A process to be killed: judges what the session before has left, then offers from several threads, polls with one and flushes with
 * another until it is ended, and notes each answer in the ledger. SIGTERM closes the queue.
 *
 * <p>Arguments: folder, ledger, ledger copied before the fault, ledger copied after it, kill or cut, durability, writers, seed. With 0
 * writers it judges, empties the queue, and ends. Exit codes: 0 fine, 1 a promise was broken.
 */
final class Session {
    private static final int MAX_BACKLOG = 8000;

    private final DiskQueue<byte[]> queue;
    private final Ledger ledger;
    private final Settings settings;
    private final int generation;
    private final int backlog;
    private final SessionThreads threads;

    private Session(DiskQueue<byte[]> queue, Ledger ledger, Settings settings) {
        this.queue = queue;
        this.ledger = ledger;
        this.settings = settings;
        this.generation = ledger.generation();
        this.threads = new SessionThreads(settings, generation);
        this.backlog = 100 + threads.random(0).nextInt(MAX_BACKLOG);
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path ledgerFile = Path.of(args[1]);
        Settings settings = Settings.of(args[5], args[6], args[7]);
        Fault fault = args[4].equals("cut") ? Fault.CUT : Fault.KILL;
        Reopened reopened =
                Reopened.open(Path.of(args[0]), Path.of(args[2]), Path.of(args[3]), fault, settings, System.out);
        if (settings.writers() == 0) {
            boolean drained = reopened.drain();
            reopened.queue().close();
            System.exit(reopened.ok() && drained ? 0 : SessionThreads.BROKEN);
        }
        if (!reopened.ok()) {
            Runtime.getRuntime().halt(SessionThreads.BROKEN);
        }
        reopened.queue().flush();
        Path unpublished = ledgerFile.resolveSibling(ledgerFile.getFileName() + ".new");
        Ledger ledger = Ledger.create(unpublished, settings, reopened.nextGeneration());
        reopened.carryOver(ledger);
        Ledger.publish(unpublished, ledgerFile);
        new Session(reopened.queue(), ledger, settings).run();
    }

    private void run() throws InterruptedException {
        for (int w = 0; w < settings.writers(); w++) {
            int producer = w;
            threads.start("writer-" + w, () -> offer(producer));
        }
        threads.start("consumer", this::consume);
        threads.start("flusher", this::flush);
        threads.awaitEnd();
        queue.close();
        ledger.setClosed();
    }

    private void offer(int producer) {
        SplittableRandom random = threads.random(1 + producer);
        long index = ledger.get(Count.ATTEMPTED, producer);
        while (threads.goesOn()) {
            index++;
            byte[] payload = Element.make(settings.seed(), generation, producer, index, ledger);
            ledger.set(Count.ATTEMPTED, producer, index);
            if (!queue.offer(payload)) {
                threads.broken("offer returned false");
            }
            ledger.acknowledge(producer, index);
            if (random.nextInt(16) == 0) {
                while (queue.size() > backlog && threads.goesOn()) {
                    LockSupport.parkNanos(SessionThreads.PARK_NANOS);
                }
            }
        }
    }

    /** Lets the queue grow to one random length and empties it to another, again and again. */
    private void consume() {
        SplittableRandom random = threads.random(100);
        while (threads.goesOn()) {
            int most = random.nextInt(backlog);
            int least = random.nextInt(3) == 0 ? 0 : random.nextInt(most + 1);
            long patience = System.nanoTime() + random.nextLong(30_000_000);
            while (queue.size() < most && System.nanoTime() - patience < 0 && threads.goesOn()) {
                LockSupport.parkNanos(SessionThreads.PARK_NANOS);
            }
            for (int left = queue.size() - least; left > 0 && threads.goesOn(); left--) {
                byte[] head = random.nextInt(64) == 0 ? queue.peek() : null;
                byte[] payload = queue.poll();
                if (head != null && !Arrays.equals(head, payload)) {
                    threads.broken("peek and poll differ");
                }
                if (payload == null) {
                    break;
                }
                remember(Element.parse(payload, settings.seed()));
            }
        }
    }

    private void remember(Element element) {
        long expected = ledger.get(Count.POLLED, element.producer()) + 1;
        if (element.index() != expected) {
            threads.broken("polled " + element + " expected=" + expected);
        }
        ledger.set(Count.POLLED, element.producer(), element.index());
    }

    private void flush() {
        SplittableRandom random = threads.random(200);
        long mostNanos = random.nextBoolean() ? 100_000_000 : 3_000_000_000L;
        while (threads.goesOn()) {
            long until = System.nanoTime() + random.nextLong(mostNanos);
            while (System.nanoTime() - until < 0 && threads.goesOn()) {
                LockSupport.parkNanos(SessionThreads.PARK_NANOS * 20);
            }
            long[] acked = counts(Count.ACKED);
            long[] polled = counts(Count.POLLED);
            queue.flush();
            for (int producer = 0; producer < Ledger.PRODUCERS; producer++) {
                ledger.set(Count.FLUSHED_ACKED, producer, acked[producer]);
                ledger.set(Count.FLUSHED_POLLED, producer, polled[producer]);
            }
        }
    }

    private long[] counts(Count count) {
        long[] counts = new long[Ledger.PRODUCERS];
        for (int producer = 0; producer < counts.length; producer++) {
            counts[producer] = ledger.get(count, producer);
        }
        return counts;
    }
}
