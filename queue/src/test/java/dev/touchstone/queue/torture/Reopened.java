package dev.touchstone.queue.torture;

import dev.touchstone.queue.CorruptQueueException;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.torture.Judge.Fault;
import dev.touchstone.queue.torture.Ledger.Count;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Queue opened after a fault, judged by iterating over it, which changes nothing. */
final class Reopened {
    private static final int MAX_DAMAGE = 1000;

    private final DiskQueue<byte[]> queue;
    private final PrintStream out;
    private final @Nullable Ledger after;
    private final @Nullable Judge judge;
    private final boolean ok;
    private long iterated;
    private long hash;

    private Reopened(
            DiskQueue<byte[]> queue, PrintStream out, @Nullable Ledger after, @Nullable Judge judge, long nanos) {
        this.queue = queue;
        this.out = out;
        this.after = after;
        this.judge = judge;
        this.ok = after == null || judge == null || judged(after, judge, nanos);
    }

    /** Opens the queue of {@code folder}; where there is no ledger, the queue is new. */
    static Reopened open(Path folder, Path before, Path after, Fault fault, Settings settings, PrintStream out)
            throws IOException {
        boolean known = Files.exists(before);
        long start = System.nanoTime();
        DiskQueue<byte[]> queue = settings.open(folder);
        long nanos = System.nanoTime() - start;
        if (!known) {
            return new Reopened(queue, out, null, null, nanos);
        }
        Ledger upper = Ledger.read(after);
        return new Reopened(queue, out, upper, new Judge(Ledger.read(before), upper, fault, out), nanos);
    }

    DiskQueue<byte[]> queue() {
        return queue;
    }

    boolean ok() {
        return ok;
    }

    /** The generation that has to follow. */
    int nextGeneration() {
        return after == null ? 1 : after.generation() + 1;
    }

    /** Starts a ledger where this queue goes on. */
    void carryOver(Ledger ledger) {
        if (after == null || judge == null) {
            return;
        }
        for (int producer = 0; producer < Ledger.PRODUCERS; producer++) {
            boolean present = judge.last(producer) > 0;
            long base = present ? judge.last(producer) : after.get(Count.ATTEMPTED, producer);
            long polled = present ? judge.first(producer) - 1 : base;
            for (Count count : Count.values()) {
                boolean removal = count == Count.POLLED || count == Count.FLUSHED_POLLED;
                ledger.set(count, producer, removal ? polled : base);
            }
        }
    }

    /** Polls everything, which must be what was iterated over, and sees that the queue works; false if not. */
    boolean drain() {
        long polled = 0;
        long polledHash = 0;
        for (byte[] payload = poll(); payload != null; payload = poll()) {
            polled++;
            polledHash = polledHash * 31 + Arrays.hashCode(payload);
        }
        boolean same = polled == iterated && polledHash == hash && queue.isEmpty();
        byte[] probe = {1, 2, 3};
        boolean works = queue.offer(probe) && Arrays.equals(queue.poll(), probe) && queue.poll() == null;
        if (!same || !works) {
            out.println("VIOLATION polled=" + polled + " iterated=" + iterated + " left=" + queue.size() + " equal="
                    + (polledHash == hash) + " works=" + works);
        }
        return same && works;
    }

    private byte @Nullable [] poll() {
        for (; ; ) {
            try {
                return queue.poll();
            } catch (CorruptQueueException countedByTheIterator) {
                hash = -1;
            }
        }
    }

    private boolean judged(Ledger upper, Judge by, long nanos) {
        long size = queue.longSize();
        Iterator<byte[]> elements = queue.iterator();
        for (int damaged = 0; damaged < MAX_DAMAGE; ) {
            try {
                byte[] payload = elements.next();
                iterated++;
                hash = hash * 31 + Arrays.hashCode(payload);
                by.see(payload);
            } catch (CorruptQueueException damage) {
                by.seeDamage(damage);
                damaged++;
            } catch (NoSuchElementException end) {
                break;
            }
        }
        Judge.Verdict verdict = by.verdict();
        if (size != iterated) {
            verdict.sizeWrong++;
            out.println("VIOLATION size=" + size + " iterated=" + iterated);
        }
        out.println("judged durability=" + upper.durability() + " generation=" + upper.generation() + " closed="
                + (upper.closed() ? 1 : 0) + " openMicros=" + nanos / 1000 + " " + verdict);
        return verdict.ok();
    }
}
