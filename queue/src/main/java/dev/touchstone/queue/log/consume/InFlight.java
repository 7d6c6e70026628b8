package dev.touchstone.queue.log.consume;

import dev.touchstone.queue.log.LogClock;
import dev.touchstone.queue.log.consume.ConsumerState.Place;
import dev.touchstone.queue.log.segment.Segment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The records that one cursor has passed and not consumed: on lease, reserved by a poll that decodes them, waiting for their time, or ready
 * to be handed out again.
 */
final class InFlight {
    /*
     * Who calls:      the holder of the cursor's lock.
     * Invariants:     a record of bySequence is in exactly one of leased, reserved, waiting and ready. timed holds those of leased and
     *                 waiting, and of the reserved those whose time is limited.
     *                 A lease is valid while its token is its record's; an expired one stays valid until the record is handed out
     *                 again.
     */
    private static final Duration MAX_TIME = Duration.ofDays(36_500);

    private final TreeMap<Long, Delivery> bySequence = new TreeMap<>();
    private final TreeSet<Delivery> timed = new TreeSet<>((a, b) -> {
        long difference = a.dueNanos - b.dueNanos;
        return difference == 0 ? Long.compare(a.sequence, b.sequence) : Long.signum(difference);
    });
    private final TreeSet<Long> ready = new TreeSet<>();
    private final LogClock clock;
    private int leased;
    private int endedReservations;

    /** Creates an empty set whose leases end by a clock. */
    InFlight(LogClock clock) {
        this.clock = clock;
    }

    /** A record, the place where it stands, and the number of times that it was handed out. */
    static final class Delivery {
        private final long sequence;
        private final Segment segment;
        private final long position;
        private final long offset;
        private int times;
        private long token;
        private long owner;
        private long dueNanos;
        private boolean isLeased;
        private boolean isReserved;

        /**
         * Creates the delivery of a record that is not out.
         *
         * @param position in the segment
         * @param offset bytes of all records before it
         * @param times that it was handed out already
         */
        Delivery(long sequence, Segment segment, long position, long offset, int times) {
            this.sequence = sequence;
            this.segment = segment;
            this.position = position;
            this.offset = offset;
            this.times = times;
        }

        long sequence() {
            return sequence;
        }

        Segment segment() {
            return segment;
        }

        long position() {
            return position;
        }

        long offset() {
            return offset;
        }

        Place place() {
            return new Place(sequence, segment.firstSequence(), position, offset);
        }

        /** Returns how often the record was handed out. */
        int times() {
            return times;
        }

        /** Returns whether a poll has taken the record and decodes it. */
        boolean isReserved() {
            return isReserved;
        }

        /** Sets whose lease the next one is; 0 for nobody in particular. */
        void owner(long newOwner) {
            owner = newOwner;
        }

        /** Returns the token that makes a lease the valid one. */
        long token() {
            return token;
        }
    }

    /** Returns a time in nanoseconds, at most a hundred years. */
    static long nanos(Duration time) {
        return time.compareTo(MAX_TIME) > 0 ? MAX_TIME.toNanos() : time.toNanos();
    }

    boolean isEmpty() {
        return bySequence.isEmpty();
    }

    boolean contains(long sequence) {
        return bySequence.containsKey(sequence);
    }

    /** Returns the number of records that are passed and not consumed. */
    int count() {
        return bySequence.size();
    }

    /** Returns the number of records on lease. */
    int leased() {
        return leased;
    }

    /** Leases a record, new or returned, until a time of the clock. */
    void lease(Delivery delivery, long untilNanos) {
        bySequence.put(delivery.sequence, delivery);
        ready.remove(delivery.sequence);
        delivery.token++;
        delivery.times++;
        delivery.isLeased = true;
        leased++;
        delivery.dueNanos = untilNanos;
        timed.add(delivery);
    }

    /** Takes a record, new or returned, without a limit of time. */
    void reserve(Delivery delivery) {
        bySequence.put(delivery.sequence, delivery);
        ready.remove(delivery.sequence);
        delivery.token++;
        delivery.times++;
        delivery.isReserved = true;
    }

    /** Takes a record as {@link #reserve(Delivery)} does, until a time of the clock. */
    void reserve(Delivery delivery, long untilNanos) {
        reserve(delivery);
        delivery.dueNanos = untilNanos;
        timed.add(delivery);
    }

    /** Returns how many reservations have ended by their time since the last call. */
    int takeEndedReservations() {
        int ended = endedReservations;
        endedReservations = 0;
        return ended;
    }

    /** Makes a record, new or passed before, wait until a time of the clock. */
    void await(Delivery delivery, long untilNanos) {
        endLease(delivery);
        bySequence.put(delivery.sequence, delivery);
        ready.remove(delivery.sequence);
        delivery.token++;
        delivery.dueNanos = untilNanos;
        timed.add(delivery);
    }

    /** Makes a record that is out wait until a time of the clock, and forgets that it was out if that does not count. */
    void giveBack(Delivery delivery, long untilNanos, boolean counts) {
        delivery.times -= counts ? 0 : 1;
        await(delivery, untilNanos);
    }

    /** Lets a lease end at a time of the clock; returns false where it has ended. */
    boolean extend(long sequence, long token, long untilNanos) {
        Delivery delivery = valid(sequence, token);
        if (delivery == null || !delivery.isLeased) {
            return false;
        }
        timed.remove(delivery);
        delivery.dueNanos = untilNanos;
        timed.add(delivery);
        return true;
    }

    /** Returns the delivery of a lease that is still valid, or null. */
    @Nullable
    Delivery valid(long sequence, long token) {
        Delivery delivery = bySequence.get(sequence);
        return delivery == null || delivery.token != token ? null : delivery;
    }

    /** Returns whether a record is on lease or reserved now. */
    boolean isOut(Delivery delivery) {
        return delivery.isLeased || delivery.isReserved;
    }

    boolean isReserved(long sequence) {
        Delivery delivery = bySequence.get(sequence);
        return delivery != null && delivery.isReserved;
    }

    /** Returns the oldest record that is ready to be handed out again, or null. */
    @Nullable
    Delivery firstReady() {
        expire();
        return ready.isEmpty() ? null : bySequence.get(ready.first());
    }

    /** Returns the oldest record that is passed and not consumed, or null. */
    @Nullable
    Delivery first() {
        Map.Entry<Long, Delivery> first = bySequence.firstEntry();
        return first == null ? null : first.getValue();
    }

    /** Forgets a record, whoever has it. */
    void remove(long sequence) {
        Delivery delivery = bySequence.remove(sequence);
        if (delivery != null) {
            endLease(delivery);
            ready.remove(sequence);
            delivery.token++;
        }
    }

    void clear() {
        bySequence.clear();
        timed.clear();
        ready.clear();
        leased = 0;
    }

    /** Returns the nanoseconds until the next lease or wait ends, at most {@code most}. */
    long nanosToNext(long most) {
        return timed.isEmpty() ? most : Math.min(most, timed.first().dueNanos - clock.nanos());
    }

    private void expire() {
        while (!timed.isEmpty() && nanosToNext(1) <= 0) {
            Delivery due = timed.first();
            endedReservations += due.isReserved ? 1 : 0;
            endLease(due);
            ready.add(due.sequence);
        }
    }

    /** Lets the leases and reservations of an owner end now. */
    void endLeases(long owner) {
        for (Delivery delivery : bySequence.values()) {
            if (isOut(delivery) && delivery.owner == owner) {
                timed.remove(delivery);
                delivery.dueNanos = clock.nanos();
                timed.add(delivery);
            }
        }
    }

    /** Returns the state of all records. */
    List<CursorImage.Flight> image() {
        return bySequence.values().stream()
                .map(delivery -> new CursorImage.Flight(
                        delivery.sequence,
                        delivery.times,
                        delivery.token,
                        delivery.owner,
                        delivery.dueNanos,
                        delivery.isLeased
                                ? CursorImage.LEASED
                                : delivery.isReserved
                                        ? CursorImage.RESERVED
                                        : ready.contains(delivery.sequence) ? CursorImage.READY : CursorImage.WAITING))
                .toList();
    }

    /** Adds a record in the state that {@link #image} gave. */
    void restore(Delivery delivery, CursorImage.Flight flight) {
        delivery.times = flight.times();
        delivery.token = flight.token();
        delivery.owner = flight.owner();
        delivery.dueNanos = flight.dueNanos();
        delivery.isLeased = flight.state() == CursorImage.LEASED;
        delivery.isReserved = flight.state() == CursorImage.RESERVED;
        leased += delivery.isLeased ? 1 : 0;
        bySequence.put(delivery.sequence, delivery);
        if (flight.state() == CursorImage.READY) {
            ready.add(delivery.sequence);
        } else {
            timed.add(delivery);
        }
    }

    private void endLease(Delivery delivery) {
        timed.remove(delivery);
        delivery.isReserved = false;
        if (delivery.isLeased) {
            delivery.isLeased = false;
            leased--;
        }
    }
}
