package dev.touchstone.queue.log.consume;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * The knowledge of one cursor's consumption: facts that only grow, so that they may be applied in any order and more than once. Not
 * thread-safe.
 */
public final class ConsumerState {
    private final long id;
    private final String name;
    private final SequenceRanges above = new SequenceRanges();
    private final TreeMap<Long, Attempt> attempts = new TreeMap<>();
    private long floor;
    private Place place = Place.UNKNOWN;

    /**
     * The deliveries of one record that is not consumed.
     *
     * @param deliveries times that the record was handed out
     * @param notBeforeMillis of the epoch, before which it is not handed out again; 0 for any time
     */
    record Attempt(int deliveries, long notBeforeMillis) {}

    private static final Comparator<Attempt> LATER =
            Comparator.comparingInt(Attempt::deliveries).thenComparingLong(Attempt::notBeforeMillis);

    /**
     * A place where a record stands: a hint, which spares a search where it is right.
     *
     * @param sequence of the record, 0 for unknown
     * @param segment first sequence of its segment
     * @param position in the segment's file
     * @param offset bytes of all records before it
     */
    public record Place(long sequence, long segment, long position, long offset) {
        static final Place UNKNOWN = new Place(0, 0, 0, 0);
    }

    /**
     * Creates the state of a cursor that has consumed everything below {@code floor}.
     *
     * @param id tells the cursor from an earlier one of the same name
     * @param name empty for the log's own
     */
    ConsumerState(long id, String name, long floor) {
        this.id = id;
        this.name = name;
        this.floor = floor;
    }

    public long id() {
        return id;
    }

    public String name() {
        return name;
    }

    /** Returns the sequence below which everything is consumed. */
    public long floor() {
        return floor;
    }

    SequenceRanges above() {
        return above;
    }

    Map<Long, Attempt> attempts() {
        return attempts;
    }

    public Place place() {
        return place;
    }

    void placed(Place newPlace) {
        place = newPlace;
    }

    /** Returns how many entries a checkpoint has of this cursor. O(1). */
    int entries() {
        return above.count() + attempts.size();
    }

    /** Returns whether all sequences from {@code first} to before {@code end} are consumed. */
    public boolean covers(long first, long end) {
        return end <= floor || above.endFrom(Math.max(first, floor)) >= end;
    }

    /** Returns what the floor would be if everything below {@code end} were consumed. */
    long floorAfter(long end) {
        return above.endFrom(end);
    }

    /** Applies that the sequences from {@code first} to before {@code end} are consumed. */
    void consume(long first, long end) {
        if (end <= floor) {
            return;
        }
        if (first > floor) {
            above.add(first, end);
            attempts.subMap(first, end).clear();
            return;
        }
        floor = above.endFrom(end);
        above.dropBefore(floor);
        if (!attempts.isEmpty()) {
            attempts.headMap(floor).clear();
        }
    }

    /** Applies that a record was handed out so often. In any order: a delivery that was given back with a delay is later than its lease. */
    void attempt(long sequence, Attempt attempt) {
        if (!covers(sequence, sequence + 1)) {
            attempts.merge(sequence, attempt, (old, now) -> LATER.compare(old, now) > 0 ? old : now);
        }
    }

    /** Forgets what is known of the sequences from {@code end} on: their records were lost, and others will have these numbers. */
    public void truncate(long end) {
        floor = Math.min(floor, end);
        above.dropFrom(end);
        attempts.tailMap(end, true).clear();
        if (place.sequence() > end) {
            place = Place.UNKNOWN;
        }
    }

    /** Returns how many sequences before {@code end} are not consumed. */
    public long unconsumed(long end) {
        return Math.max(0, end - floor - above.size());
    }

    /** Returns how many ranges above the floor are consumed already. */
    public int gaps() {
        return above.count();
    }

    /** Returns how many records that are not consumed were handed out before. */
    public int attempted() {
        return attempts.size();
    }

    /** Returns the sequence after the last that is consumed. */
    public long end() {
        long[] end = {floor};
        above.forEach((first, last) -> end[0] = last);
        return end[0];
    }
}
