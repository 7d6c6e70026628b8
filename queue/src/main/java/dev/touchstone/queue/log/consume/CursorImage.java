package dev.touchstone.queue.log.consume;

import dev.touchstone.queue.log.consume.InFlight.Delivery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The whole state of a cursor, for another replica of its log.
 *
 * @param floor sequence below which everything is consumed
 * @param head first sequence that was not handed out
 * @param consumed ranges at or above the floor that are consumed, in order
 * @param flights records between floor and head that are not consumed, in order
 */
public record CursorImage(long floor, long head, List<Range> consumed, List<Flight> flights) {
    static final byte LEASED = 1;
    static final byte RESERVED = 2;
    static final byte WAITING = 3;
    static final byte READY = 4;

    /** The sequences from {@code first} to before {@code end}. */
    public record Range(long first, long end) {}

    /**
     * The state of a record that was passed.
     *
     * @param times number of times that it was handed out
     * @param token tells its last lease from earlier ones
     * @param owner of its last lease
     * @param dueNanos time of the clock at which its lease or wait ends
     * @param state 1 on lease, 2 reserved for a limited time, 3 waiting, 4 ready to be handed out again
     */
    public record Flight(long sequence, int times, long token, long owner, long dueNanos, byte state) {}

    /** Copies the lists. */
    public CursorImage {
        consumed = List.copyOf(consumed);
        flights = List.copyOf(flights);
    }

    /** Returns the image of a cursor. */
    static CursorImage of(AckedRanges done, ReadPosition head, InFlight inFlight) {
        SequenceRanges above = new SequenceRanges();
        done.copyTo(above);
        List<Range> ranges = new ArrayList<>();
        above.forEach((first, end) -> ranges.add(new Range(first, end)));
        return new CursorImage(done.floor(), head.sequence(), ranges, inFlight.image());
    }

    /** Brings a cursor that has consumed nothing, and whose head is at its floor, into this state. */
    void restore(AckedRanges done, ReadPosition read, InFlight inFlight) throws IOException {
        Map<Long, Flight> bySequence = new HashMap<>();
        flights.forEach(flight -> bySequence.put(flight.sequence(), flight));
        long floorOffset = read.offset();
        while (read.sequence() < head) {
            read.view();
            Delivery passed = read.delivery();
            if (read.sequence() <= floor) {
                floorOffset = passed.offset();
            }
            Flight flight = bySequence.get(read.sequence());
            if (flight != null) {
                inFlight.restore(passed, flight);
            }
            read.advance();
        }
        SequenceRanges ranges = new SequenceRanges();
        consumed.forEach(range -> {
            long unused = ranges.add(range.first(), range.end());
        });
        done.begin(floor, ranges);
        done.moveFloor(floor, floor == head ? read.offset() : floorOffset);
        for (Flight flight : flights) {
            if (flight.state() == RESERVED) {
                done.reserve();
            }
        }
    }
}
