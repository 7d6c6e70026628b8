package dev.touchstone.queue.log.consume;

import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.segment.Segment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The records of one cursor that are out on lease, or came back and wait to go out again. Guarded by the cursor's lock. */
public final class Deliveries {
    private final LogOptions.Leases bounds;
    private final TreeMap<Long, Delivery> out = new TreeMap<>();
    private final TreeSet<Long> returned = new TreeSet<>();
    private final LinkedHashMap<Long, Delivery> leased = new LinkedHashMap<>(); // in the order of their deadlines

    /**
     * One record that was handed out and is not acknowledged, and where it stands, so that it can be read again.
     *
     * @param times how often it was handed out by now
     */
    public record Delivery(long sequence, Segment segment, long position, long offset, int times, long deadlineNanos) {

        /** The same, but not this one. */
        Delivery ended() {
            return new Delivery(sequence, segment, position, offset, times, deadlineNanos);
        }
    }

    public Deliveries(LogOptions.Leases bounds) {
        this.bounds = bounds;
    }

    public boolean isEmpty() {
        return out.isEmpty();
    }

    /** Records that were handed out and are not acknowledged. */
    public int count() {
        return out.size();
    }

    /** Records that are out now. */
    public int leased() {
        return leased.size();
    }

    public boolean hasRoom() {
        return leased.size() < bounds.most();
    }

    /** Hands a record out, once more than {@code before}. */
    public Delivery lease(Delivery before) {
        Delivery delivery = new Delivery(
                before.sequence(),
                before.segment(),
                before.position(),
                before.offset(),
                before.times() + 1,
                System.nanoTime() + bounds.timeout().toNanos());
        out.put(delivery.sequence(), delivery);
        returned.remove(delivery.sequence());
        leased.put(delivery.sequence(), delivery);
        return delivery;
    }

    /** The first record that came back, or null. */
    @Nullable
    public Delivery firstReturned() {
        expire();
        return returned.isEmpty() ? null : out.get(returned.first());
    }

    /** The first delivery that is not acknowledged, or null. */
    @Nullable
    public Delivery first() {
        Map.Entry<Long, Delivery> first = out.firstEntry();
        return first == null ? null : first.getValue();
    }

    /** True, once, where nobody else has been given the record since. */
    @SuppressWarnings("ReferenceEquality") // this delivery, not one like it
    public boolean acknowledge(Delivery delivery) {
        if (out.get(delivery.sequence()) != delivery) {
            return false;
        }
        remove(delivery.sequence());
        return true;
    }

    /** Forgets a record, whoever has it. */
    public void remove(long sequence) {
        out.remove(sequence);
        leased.remove(sequence);
        returned.remove(sequence);
    }

    /** True, once, where the record was out with this delivery and now is to go out again. */
    @SuppressWarnings("ReferenceEquality")
    public boolean giveBack(Delivery delivery) {
        if (leased.get(delivery.sequence()) != delivery) {
            return false;
        }
        comeBack(delivery);
        out.put(delivery.sequence(), delivery.ended()); // so that this lease cannot be acknowledged any more
        return true;
    }

    private void comeBack(Delivery delivery) {
        leased.remove(delivery.sequence());
        returned.add(delivery.sequence());
    }

    /** Nanoseconds in which no lease ends, not even one that is given from now on; at most {@code most}. */
    public long nanosToDeadline(long most) {
        long first = leased.isEmpty()
                ? bounds.timeout().toNanos()
                : leased.values().iterator().next().deadlineNanos() - System.nanoTime();
        return Math.min(most, first);
    }

    public void clear() {
        out.clear();
        returned.clear();
        leased.clear();
    }

    /** Takes back what was out too long, though it may still be acknowledged until it goes out again: the timeout is the same for all, so the oldest lease ends first. */
    private void expire() {
        while (!leased.isEmpty() && nanosToDeadline(1) <= 0) {
            comeBack(leased.values().iterator().next());
        }
    }
}
