package dev.touchstone.queue.torture;

import static dev.touchstone.queue.torture.Ledger.BEGUN;
import static dev.touchstone.queue.torture.Ledger.CURSORS;
import static dev.touchstone.queue.torture.Ledger.NONE;
import static dev.touchstone.queue.torture.Ledger.PRODUCERS;
import static dev.touchstone.queue.torture.Ledger.PROMISED;
import static dev.touchstone.queue.torture.Ledger.RING;

import dev.touchstone.queue.Durability;
import dev.touchstone.queue.torture.Judge.Fault;
import dev.touchstone.queue.torture.Judge.Verdict;
import dev.touchstone.queue.torture.Ledger.Count;
import java.io.PrintStream;
import java.util.BitSet;

/**
 * Judge of a queue that several cursors consume in any order: compares the elements that each cursor of the reopened queue has left with
 * the ledger. Each of these breaks a promise:
 *
 * <ul>
 *   <li>an element is back whose removal had returned and was promised: at once where the process was killed and the queue is synced or
 *       written; otherwise by a synced append or a flush that was called after the removal and has returned;
 *   <li>an element is gone from a cursor that never began to remove it, and its offer was promised;
 *   <li>an element is gone that was accepted before one that some cursor still has, or that was removed by nobody;
 *   <li>elements of one producer are out of order, twice, damaged, never offered, or of another generation;
 *   <li>{@code size} differs from the number of elements.
 * </ul>
 */
final class LeaseJudge {
    private static final int MAX_COMPLAINTS = 20;

    private final Ledger before;
    private final Ledger after;
    private final Fault fault;
    private final PrintStream complaints;
    private final BitSet[][] present = new BitSet[CURSORS.size()][PRODUCERS];
    private final long[][] last = new long[CURSORS.size()][PRODUCERS];
    private final long[][] claimedByCursor = new long[CURSORS.size()][PRODUCERS];
    private final long[] survived = new long[PRODUCERS];
    private final long[] claimed = new long[PRODUCERS];
    private final Verdict verdict = new Verdict();
    private int complained;

    /**
     * @param before ledger from before the fault: what must be true
     * @param after ledger from after the fault: what may be true
     */
    LeaseJudge(Ledger before, Ledger after, Fault fault, PrintStream complaints) {
        this.before = before;
        this.after = after;
        this.fault = fault;
        this.complaints = complaints;
        for (BitSet[] cursor : present) {
            for (int producer = 0; producer < PRODUCERS; producer++) {
                cursor[producer] = new BitSet(RING);
            }
        }
    }

    /** Returns whether the cursor has the element, which is one of the producer's last {@link Ledger#RING}. */
    boolean isPresent(int cursor, int producer, long index) {
        return present[cursor][producer].get((int) (index - oldest(producer)));
    }

    /** Returns the first index of the producer that has a slot of its own. */
    long oldest(int producer) {
        return Math.max(1, after.get(Count.ATTEMPTED, producer) - RING + 1);
    }

    void seeDamage(RuntimeException damage) {
        verdict.corrupt++;
        complain("damage: " + damage);
    }

    void seeSize(int cursor, long size, long counted) {
        if (size != counted) {
            verdict.sizeWrong++;
            complain("size: cursor=" + name(cursor) + " size=" + size + " leased=" + counted);
        }
    }

    /** Judges the next element of a cursor, in the order in which the cursor hands them out. */
    void see(int cursor, byte[] payload) {
        verdict.present++;
        Element element;
        try {
            element = Element.parse(payload, after.seed());
        } catch (IllegalArgumentException wrong) {
            seeDamage(wrong);
            return;
        }
        int producer = element.producer();
        long index = element.index();
        if (index > after.get(Count.ATTEMPTED, producer)
                || (index <= after.get(Count.BASE, producer)) == (element.generation() == after.generation())
                || element.generation() > after.generation()) {
            verdict.stale++;
            complain("stale or never offered: " + element + " attempted=" + after.get(Count.ATTEMPTED, producer)
                    + " base=" + after.get(Count.BASE, producer));
            return;
        }
        seeOrder(cursor, element);
        seeRemoval(cursor, element);
        if (index >= oldest(producer)) {
            present[cursor][producer].set((int) (index - oldest(producer)));
        }
        survived[producer] = Math.max(survived[producer], index);
        for (int other = 0; other < PRODUCERS; other++) {
            claimed[other] = Math.max(claimed[other], element.acked(other));
            claimedByCursor[cursor][other] = Math.max(claimedByCursor[cursor][other], element.acked(other));
        }
    }

    private void seeOrder(int cursor, Element element) {
        int producer = element.producer();
        if (element.index() == last[cursor][producer]
                || (element.index() >= oldest(producer) && isPresent(cursor, producer, element.index()))) {
            verdict.duplicated++;
            complain("duplicated: cursor=" + name(cursor) + " " + element);
        } else if (element.index() < last[cursor][producer]) {
            verdict.outOfOrder++;
            complain("out of order: cursor=" + name(cursor) + " " + element + " after " + last[cursor][producer]);
        } else if (element.index() <= claimedByCursor[cursor][producer]) {
            verdict.outOfOrder++;
            complain("out of order: cursor=" + name(cursor) + " " + element
                    + " behind one that was offered after it was acknowledged");
        }
        last[cursor][producer] = Math.max(last[cursor][producer], element.index());
    }

    private void seeRemoval(int cursor, Element element) {
        long removal = element.index() <= before.get(Count.ATTEMPTED, element.producer()) - RING
                ? PROMISED
                : before.removal(cursor, element.producer(), element.index());
        if (removal == NONE || removal == BEGUN) {
            return;
        }
        verdict.redelivered++;
        if (removal <= promisedStamp()) { // PROMISED is below every stamp
            verdict.redeliveredPromised++;
            complain("came back: cursor=" + name(cursor) + " " + element + " stamp=" + removal + " promised="
                    + promisedStamp() + " synced=" + before.syncedStamp() + " flushed=" + before.flushedStamp());
        }
    }

    private long promisedStamp() {
        if (after.closed() || (fault == Fault.KILL && before.durability() != Durability.BATCHED)) {
            return Long.MAX_VALUE;
        }
        return Math.max(before.syncedStamp(), before.flushedStamp());
    }

    /** Returns the judgement over all cursors; every element was seen before. */
    Verdict verdict() {
        boolean allAcked = after.closed()
                || after.durability() == Durability.SYNCED
                || (after.durability() == Durability.WRITTEN && fault == Fault.KILL);
        long lostElements = 0;
        long lostBytes = 0;
        long largest = 0;
        for (int producer = 0; producer < PRODUCERS; producer++) {
            long acked = before.get(Count.ACKED, producer);
            long promised = allAcked ? acked : before.get(Count.FLUSHED_ACKED, producer);
            verdict.acked += acked - before.get(Count.BASE, producer);
            for (long index = oldest(producer); index <= after.get(Count.ATTEMPTED, producer); index++) {
                if (judgeAbsence(producer, index, promised) && index <= acked) {
                    int bytes = Element.bytes(before.seed(), before.generation(), producer, index);
                    lostElements++;
                    lostBytes += bytes;
                    largest = Math.max(largest, bytes);
                }
            }
        }
        verdict.lost = lostElements;
        if (!allAcked
                && fault == Fault.KILL
                && (lostElements > before.batchRecords() || lostBytes > before.batchBytes() + 4 * largest)) {
            verdict.lostPromised++;
            complain("over the batch's bounds: lost=" + lostElements + " bytes=" + lostBytes);
        }
        return verdict;
    }

    /** Returns whether a cursor lacks the element without having begun to remove it, and counts the promise that this breaks. */
    private boolean judgeAbsence(int producer, long index, long promised) {
        boolean lost = false;
        for (int cursor = 0; cursor < CURSORS.size(); cursor++) {
            if (isPresent(cursor, producer, index) || after.removal(cursor, producer, index) != NONE) {
                continue;
            }
            lost = true;
            String where = "cursor=" + name(cursor) + " producer=" + producer + " index=" + index;
            if (index <= promised) {
                verdict.lostPromised++;
                complain("lost: " + where + " acked or flushed=" + promised + " survived=" + survived[producer]);
            } else if (index <= Math.max(survived[producer], claimed[producer])) {
                verdict.holes++;
                complain("hole: " + where + " survived=" + survived[producer] + " acked before one that survived="
                        + claimed[producer]);
            }
        }
        return lost;
    }

    private static String name(int cursor) {
        return cursor == 0 ? "own" : CURSORS.get(cursor);
    }

    private void complain(String what) {
        if (complained++ < MAX_COMPLAINTS) {
            complaints.println("VIOLATION " + what);
        }
    }
}
