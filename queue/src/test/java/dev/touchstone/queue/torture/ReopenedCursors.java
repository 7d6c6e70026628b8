package dev.touchstone.queue.torture;

import static dev.touchstone.queue.torture.Ledger.CURSORS;

import dev.touchstone.queue.CorruptQueueException;
import dev.touchstone.queue.DiskQueue;
import dev.touchstone.queue.Lease;
import dev.touchstone.queue.QueueCursor;
import dev.touchstone.queue.torture.Judge.Fault;
import dev.touchstone.queue.torture.Judge.Verdict;
import dev.touchstone.queue.torture.Ledger.Count;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Queue opened after a fault with all its cursors, judged by leasing everything and giving it back, which removes nothing; the own cursor
 * must iterate over the same elements.
 */
final class ReopenedCursors {
    private static final int MAX_DAMAGE = 1000;

    private final DiskQueue<Payload> queue;
    private final PrintStream out;
    private final @Nullable Ledger after;
    private final @Nullable LeaseJudge judge;
    private final long[] leased = new long[CURSORS.size()];
    private final boolean ok;

    private ReopenedCursors(DiskQueue<Payload> queue, PrintStream out) {
        this.queue = queue;
        this.out = out;
        this.after = null;
        this.judge = null;
        this.ok = true;
    }

    private ReopenedCursors(DiskQueue<Payload> queue, PrintStream out, Ledger after, LeaseJudge judge, long openNanos) {
        this.queue = queue;
        this.out = out;
        this.after = after;
        this.judge = judge;
        this.ok = judge(after, judge, openNanos);
    }

    /** Opens and judges the queue of {@code folder}; it is new where there is no ledger. */
    static ReopenedCursors open(Path folder, Path before, Path after, Fault fault, Settings settings, PrintStream out)
            throws IOException {
        boolean known = Files.exists(before);
        long start = System.nanoTime();
        DiskQueue<Payload> queue = settings.openForLeases(folder);
        long nanos = System.nanoTime() - start;
        if (!known) {
            return new ReopenedCursors(queue, out);
        }
        Ledger upper = Ledger.read(after);
        return new ReopenedCursors(queue, out, upper, new LeaseJudge(Ledger.read(before), upper, fault, out), nanos);
    }

    static QueueCursor<Payload> cursor(DiskQueue<Payload> queue, int cursor) {
        return cursor == 0 ? queue : queue.cursor(CURSORS.get(cursor));
    }

    DiskQueue<Payload> queue() {
        return queue;
    }

    boolean ok() {
        return ok;
    }

    /** Returns the generation of the next session. */
    int nextGeneration() {
        return after == null ? 1 : after.generation() + 1;
    }

    /** Starts the ledger of the next session: elements that are gone must stay gone, everything else must stay. */
    void carryOver(Ledger ledger) {
        if (after == null || judge == null) {
            return;
        }
        for (int producer = 0; producer < Ledger.PRODUCERS; producer++) {
            long base = after.get(Count.ATTEMPTED, producer);
            for (Count count : Count.values()) {
                ledger.set(count, producer, base);
            }
            for (int cursor = 0; cursor < CURSORS.size(); cursor++) {
                for (long index = judge.oldest(producer); index <= base; index++) {
                    if (!judge.isPresent(cursor, producer, index)) {
                        ledger.beginRemoval(cursor, producer, index);
                        ledger.endRemoval(cursor, producer, index, Ledger.FIRST_STAMP);
                    }
                }
            }
        }
    }

    /** Polls all cursors, each of which must give as many elements as it leased, and checks that the queue works. */
    boolean drain() {
        boolean fine = true;
        for (int cursor = 0; cursor < CURSORS.size(); cursor++) {
            QueueCursor<Payload> polled = cursor(queue, cursor);
            long count = 0;
            long size = polled.longSize();
            for (Payload payload = polled.poll(); payload != null; payload = polled.poll()) {
                count++;
            }
            boolean exact = after == null || (count == leased[cursor] && size == count && polled.longSize() == 0);
            fine &= exact;
            if (!exact) {
                out.println("VIOLATION drained cursor=" + cursor + " size=" + size + " polled=" + count + " leased="
                        + leased[cursor] + " left=" + polled.longSize());
            }
        }
        Payload probe = new Payload(new byte[] {1, 2, 3});
        boolean works = queue.offer(probe);
        for (int cursor = 0; cursor < CURSORS.size(); cursor++) {
            works &= probe.equals(cursor(queue, cursor).poll());
        }
        if (!works) {
            out.println("VIOLATION the queue takes no element after it was drained");
        }
        return fine && works;
    }

    private boolean judge(Ledger upper, LeaseJudge by, long openNanos) {
        boolean complete = queue.cursorNames().equals(Set.copyOf(CURSORS.subList(1, CURSORS.size())));
        if (!complete) {
            out.println("VIOLATION cursors=" + queue.cursorNames() + " expected=" + CURSORS);
        }
        boolean same = true;
        for (int cursor = 0; cursor < CURSORS.size(); cursor++) {
            QueueCursor<Payload> of = cursor(queue, cursor);
            long size = of.longSize();
            Iterator<Payload> own =
                    cursor == 0 ? queue.iterator() : List.<Payload>of().iterator();
            List<Lease<Payload>> leases = new ArrayList<>();
            for (Lease<Payload> lease = lease(of, by); lease != null; lease = lease(of, by)) {
                by.see(cursor, lease.element().bytes());
                same &= cursor != 0 || (own.hasNext() && own.next().equals(lease.element()));
                leases.add(lease);
            }
            same &= !own.hasNext();
            leased[cursor] = leases.size();
            by.seeSize(cursor, size, leases.size());
            for (Lease<Payload> lease : leases) {
                same &= lease.nack();
            }
        }
        Verdict verdict = by.verdict();
        if (!same) {
            out.println("VIOLATION iterator and leases differ, or a lease had ended");
        }
        out.println("judged durability=" + upper.durability() + " generation=" + upper.generation() + " closed="
                + (upper.closed() ? 1 : 0) + " openMicros=" + openNanos / 1000 + " " + verdict);
        return complete && same && verdict.ok();
    }

    private static @Nullable Lease<Payload> lease(QueueCursor<Payload> cursor, LeaseJudge judge) {
        for (int damaged = 0; damaged < MAX_DAMAGE; damaged++) {
            try {
                return cursor.lease();
            } catch (CorruptQueueException damage) {
                judge.seeDamage(damage);
            }
        }
        return null;
    }
}
