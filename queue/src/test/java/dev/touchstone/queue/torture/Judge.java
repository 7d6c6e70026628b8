package dev.touchstone.queue.torture;

import static dev.touchstone.queue.torture.Ledger.PRODUCERS;

import dev.touchstone.queue.Durability;
import dev.touchstone.queue.torture.Ledger.Count;
import java.io.PrintStream;
import java.util.Arrays;

/** Judge of a queue that one thread polls: compares the elements that are left, from the head on, with the ledger's promises. */
final class Judge {
    private static final int MAX_COMPLAINTS = 20;
    private static final long LATE_NANOS = 1_000_000_000;

    /** What ended the session that wrote the queue. */
    enum Fault {
        KILL,
        CUT
    }

    private final Ledger before;
    private final Ledger after;
    private final Fault fault;
    private final PrintStream complaints;
    private final long[] first = new long[PRODUCERS];
    private final long[] last = new long[PRODUCERS];
    private final long[] claimed = new long[PRODUCERS];
    private final Verdict verdict = new Verdict();
    private int complained;

    /**
     * @param before what was acknowledged before the fault
     * @param after what may have been begun before the fault
     */
    Judge(Ledger before, Ledger after, Fault fault, PrintStream complaints) {
        this.before = before;
        this.after = after;
        this.fault = fault;
        this.complaints = complaints;
    }

    /** The last element of the producer that is in the queue, or 0. */
    long last(int producer) {
        return last[producer];
    }

    /** The first element of the producer that is in the queue, or 0. */
    long first(int producer) {
        return first[producer];
    }

    void seeDamage(RuntimeException damage) {
        verdict.corrupt++;
        complain("damage: " + damage);
    }

    void see(byte[] payload) {
        verdict.present++;
        Element element;
        try {
            element = Element.parse(payload, after.seed());
        } catch (IllegalArgumentException wrong) {
            seeDamage(wrong);
            return;
        }
        int producer = element.producer();
        seeOrder(element, producer);
        boolean old = element.index() <= after.get(Count.BASE, producer);
        if (old == (element.generation() == after.generation()) || element.generation() > after.generation()) {
            verdict.stale++;
            complain("stale: " + element + " base=" + after.get(Count.BASE, producer));
        }
        for (int other = 0; other < PRODUCERS; other++) {
            claimed[other] = Math.max(claimed[other], element.acked(other));
        }
    }

    private void seeOrder(Element element, int producer) {
        long index = element.index();
        if (first[producer] == 0) {
            first[producer] = index;
        } else if (index >= first[producer] && index <= last[producer]) {
            verdict.duplicated++;
            complain("duplicated: " + element);
        } else if (index < first[producer]) {
            verdict.outOfOrder++;
            complain("out of order: " + element + " after " + last[producer]);
        } else if (index != last[producer] + 1) {
            verdict.holes += index - last[producer] - 1;
            complain("hole: " + element + " after " + last[producer]);
        }
        if (index <= claimed[producer]) {
            verdict.outOfOrder++;
            complain("out of order: " + element + " behind one that was offered after it was acknowledged");
        }
        last[producer] = Math.max(last[producer], index);
    }

    /** The judgement over all that was seen. */
    Verdict verdict() {
        boolean allAcked = after.closed()
                || after.durability() == Durability.SYNCED
                || (after.durability() == Durability.WRITTEN && fault == Fault.KILL);
        boolean exactRemovals = after.closed() || (fault == Fault.KILL && after.durability() != Durability.BATCHED);
        int inFlight = after.closed() ? -1 : takenButNotTold();
        for (int producer = 0; producer < PRODUCERS; producer++) {
            judge(producer, allAcked, exactRemovals, producer == inFlight);
        }
        if (!allAcked && fault == Fault.KILL) {
            judgeBatch(inFlight);
        }
        return verdict;
    }

    /** The producer whose next element may have been removed by a poll that the fault kept from telling the ledger, or -1. */
    private int takenButNotTold() {
        int absent = -1;
        for (int producer = 0; producer < PRODUCERS; producer++) {
            long polled = after.get(Count.POLLED, producer);
            if (first[producer] > polled + 1) {
                return producer;
            }
            if (first[producer] == 0 && before.get(Count.ACKED, producer) > polled) {
                if (before.get(Count.FLUSHED_ACKED, producer) > polled) {
                    return producer; // not lost with a batch
                }
                absent = producer;
            }
        }
        return absent;
    }

    private void judge(int producer, boolean allAcked, boolean exactRemovals, boolean oneTaken) {
        long acked = before.get(Count.ACKED, producer);
        long polled = after.get(Count.POLLED, producer);
        boolean present = first[producer] > 0;
        long head = present ? first[producer] : acked + 1;
        long survived = Math.max(last[producer], polled);
        long lost = Math.max(0, acked - survived) + (present ? Math.max(0, head - polled - 1) : 0);
        long counted = oneTaken ? Math.max(0, lost - 1) : lost;
        long flushed = Math.max(0, before.get(Count.FLUSHED_ACKED, producer) - survived - (oneTaken ? 1 : 0));
        boolean headGone = present && head - polled - 1 > (oneTaken ? 1 : 0);
        verdict.acked += acked - before.get(Count.BASE, producer);
        verdict.lost += counted;
        long broken = allAcked || headGone ? counted : flushed;
        verdict.lostPromised += broken;
        if (broken > 0) {
            complain("lost: producer=" + producer + " acked=" + acked + " polled=" + polled + " present="
                    + first[producer] + ".." + last[producer] + " flushed="
                    + before.get(Count.FLUSHED_ACKED, producer));
        }
        if (present) {
            judgeRemovals(producer, exactRemovals);
            judgeFuture(producer);
        }
        if (claimed[producer] > Math.max(survived, polled + 1)) {
            verdict.holes += claimed[producer] - survived;
            complain("not a prefix: producer=" + producer + " acked=" + claimed[producer]
                    + " before one that survives, " + "survived=" + survived);
        }
    }

    private void judgeRemovals(int producer, boolean exact) {
        verdict.redelivered += Math.max(0, before.get(Count.POLLED, producer) + 1 - first[producer]);
        Count bound = exact ? Count.POLLED : Count.FLUSHED_POLLED;
        long broken = before.get(bound, producer) + 1 - first[producer];
        if (broken > 0) {
            verdict.redeliveredPromised += broken;
            complain("redelivered: producer=" + producer + " first=" + first[producer] + " " + bound + "="
                    + before.get(bound, producer));
        }
    }

    private void judgeFuture(int producer) {
        if (last[producer] > after.get(Count.ATTEMPTED, producer)) {
            verdict.stale++;
            complain("never offered: producer=" + producer + " last=" + last[producer]);
        }
    }

    /** A killed batched queue loses no more than its batches' bounds. */
    private void judgeBatch(int inFlight) {
        long bytes = 0;
        long largest = 0;
        long lastAck = Long.MIN_VALUE;
        long firstLost = Long.MAX_VALUE;
        for (int producer = 0; producer < PRODUCERS; producer++) {
            long acked = before.get(Count.ACKED, producer);
            if (acked > before.get(Count.BASE, producer)) {
                lastAck = Math.max(lastAck, before.acknowledgedNanos(producer, acked));
            }
            long polled = after.get(Count.POLLED, producer) + (producer == inFlight ? 1 : 0);
            long survived = Math.max(last[producer], polled);
            for (long index = Math.max(survived + 1, acked - Ledger.RING + 1); index <= acked; index++) {
                int length = Element.bytes(before.seed(), before.generation(), producer, index);
                bytes += length;
                largest = Math.max(largest, length);
                firstLost = Math.min(firstLost, before.acknowledgedNanos(producer, index));
            }
        }
        verdict.lostNanos = bytes == 0 ? 0 : Math.max(0, lastAck - firstLost);
        if (verdict.lost > before.batchRecords()
                || bytes > before.batchBytes() + 4 * largest
                || verdict.lostNanos > Settings.BATCH_DELAY.toNanos() + LATE_NANOS) {
            verdict.lostPromised += Math.max(1, verdict.lost - before.batchRecords());
            complain("over the batch's bounds: lost=" + verdict.lost + " bytes=" + bytes + " nanos="
                    + verdict.lostNanos);
        }
    }

    private void complain(String what) {
        if (complained++ < MAX_COMPLAINTS) {
            complaints.println("VIOLATION " + what);
        }
    }

    @Override
    public String toString() {
        return fault + " " + Arrays.toString(first) + ".." + Arrays.toString(last);
    }

    /** Counts of a judgement; those that break a promise make it not {@link #ok}. */
    static final class Verdict {
        long acked;
        long present;
        long lost;
        long lostPromised;
        long lostNanos;
        long duplicated;
        long corrupt;
        long outOfOrder;
        long holes;
        long stale;
        long redelivered;
        long redeliveredPromised;
        long sizeWrong;

        boolean ok() {
            return lostPromised + duplicated + corrupt + outOfOrder + holes + stale + redeliveredPromised + sizeWrong
                    == 0;
        }

        @Override
        public String toString() {
            return "ok=" + (ok() ? 1 : 0) + " acked=" + acked + " present=" + present + " lost=" + lost
                    + " lostPromised="
                    + lostPromised + " lostMicros=" + lostNanos / 1000 + " duplicated=" + duplicated + " corrupt="
                    + corrupt
                    + " outOfOrder=" + outOfOrder + " holes=" + holes + " stale=" + stale + " redelivered="
                    + redelivered
                    + " redeliveredPromised=" + redeliveredPromised + " sizeWrong=" + sizeWrong;
        }
    }
}
