package dev.touchstone.queue.log.inspect;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.segment.DelayedPayload;
import dev.touchstone.queue.log.segment.Segment;
import dev.touchstone.queue.log.segment.SegmentHeader;
import dev.touchstone.queue.log.segment.SegmentReader;
import dev.touchstone.queue.log.segment.SegmentStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a log that another process may be writing, in order, without its lock.
 *
 * <p>A record is given when its checksum is right in the copy that is handed out. The checksum is salted with the epoch that the segment's
 * header had when the segment was found, so bytes of another use of the same file never pass for a record, whenever the owner uses the file
 * again. Nothing is mapped: the owner may cut files off. Where a segment ends, the owner's batches are read too.
 */
public final class LogTail implements Closeable {
    /*
     * Who calls:      one thread.
     * Invariants:     next is the sequence that is expected at the reader's position; wanted the next one to be given. Every record between
     *                 the first that was asked for and wanted was given, counted as skipped or told as damaged.
     * Ordering:       the owner writes records in their order. So when a record is seen, all before it were written, and a look that begins
     *                 afterwards finds them, unless they are damaged or were taken back.
     * Failure:        an exception leaves the tail where it is, or behind the damage that was told: the next call goes on.
     */
    private final ReadOnlyFileIo io;
    private final Path folder;
    private final SegmentReader.ConsumptionSink consumption;
    private final SegmentListing listing;
    private final Set<Path> told = new HashSet<>();
    private @Nullable SegmentReader reader;
    private long wanted;
    private long next;
    private long sequence;
    private long skipped;
    private long notBeforeMillis;
    private boolean mayGrow = true; // whether an owner may still be writing

    /**
     * Starts before any record was read.
     *
     * @param first sequence to begin with; 0 for the oldest that is there
     * @param consumption receives the records of consumption that are passed
     * @param codecs codecs to read compressed segments with
     */
    public LogTail(
            FileIo io, Path folder, long first, SegmentReader.ConsumptionSink consumption, LogOptions.Codecs codecs) {
        this.consumption = consumption;
        this.io = new ReadOnlyFileIo(io);
        this.folder = folder;
        this.listing = new SegmentListing(io, folder, codecs);
        this.wanted = first;
    }

    /** States that nobody writes the log while this tail reads: a record that is not whole is damaged, and others may stand behind it. */
    public void expectNoWriter() {
        mayGrow = false;
    }

    /** Returns the element of the next record; null where none is there yet. */
    public byte @Nullable [] next() throws IOException {
        for (; ; ) {
            if (reader == null && !start()) {
                return null;
            }
            byte[] payload = read();
            if (payload == null && !findMore()) {
                return null;
            }
            if (payload != null && sequence >= wanted) {
                wanted = sequence + 1;
                return payload;
            }
        }
    }

    /** Returns the sequence of the record that {@link #next} gave last; 0 before the first. */
    public long sequence() {
        return sequence;
    }

    /** Returns the time in milliseconds of the epoch before which that record is not handed out; 0 where it is not delayed. */
    public long notBeforeMillis() {
        return notBeforeMillis;
    }

    /** Returns the number of records that were taken back before they could be read. */
    public long skipped() {
        return skipped;
    }

    /** Returns the record at the position, and moves behind it; null where it isn't there, whole. */
    private byte @Nullable [] read() throws IOException {
        SegmentReader here = current();
        byte[] payload;
        try {
            payload = here.read(next);
        } catch (NoSuchFileException takenBack) { // opened again after an interrupt
            return null;
        }
        if (payload != null) {
            boolean delayed = here.isDelayed();
            notBeforeMillis = delayed ? DelayedPayload.notBeforeMillis(payload) : 0;
            payload = delayed ? DelayedPayload.element(payload) : payload;
            here.advance();
            sequence = next++;
        }
        return payload;
    }

    private SegmentReader current() {
        if (reader == null) {
            throw new IllegalStateException("no segment");
        }
        return reader;
    }

    /** Opens the segment that holds the wanted record, or else the oldest; returns false where there is none. */
    private boolean start() throws IOException {
        List<Segment> segments = listing.read();
        if (!listing.damages().isEmpty()) {
            segments = listing.read(); // a header may have been read while it was written
        }
        Segment chosen = null;
        for (Segment segment : segments) {
            if (chosen == null || segment.firstSequence() <= wanted) {
                chosen = segment;
            }
        }
        if (chosen == null) {
            return false;
        }
        for (CorruptLogException header : listing.damages()) {
            if (SegmentStore.epoch(header.file()) < chosen.header().epoch() && told.add(header.file())) {
                throw header;
            }
        }
        if (!open(chosen)) {
            return false;
        }
        enter(chosen, wanted > 0);
        return true;
    }

    /** Expects the first record of a segment; counts those that are wanted and before it. */
    private void enter(Segment segment, boolean counting) {
        next = segment.firstSequence();
        if (counting) {
            skipped += Math.max(0, next - wanted);
        }
        wanted = Math.max(wanted, next);
    }

    private boolean open(Segment segment) throws IOException {
        return open(segment, SegmentHeader.BYTES, segment.offset());
    }

    private boolean open(Segment segment, long position, long offset) throws IOException {
        close();
        io.forget();
        try {
            reader = new SegmentReader(io, segment, position, offset, (kind, payload) -> {
                if (next >= wanted) {
                    consumption.record(kind, payload);
                }
            });
            return true;
        } catch (NoSuchFileException gone) {
            return false;
        } catch (CorruptLogException damaged) {
            listing.forget(segment);
            throw damaged;
        }
    }

    /**
     * Looks for records behind the place where none was found; returns false where there are none yet.
     *
     * @throws CorruptLogException if records before them are damaged; the tail is behind these then
     */
    private boolean findMore() throws IOException {
        SegmentReader at = current();
        if (find(at)) {
            return true;
        }
        List<Segment> later = later(at.segment());
        boolean ended = hasRecords(later);
        if (mayGrow && !ended && !isTorn(at)) {
            return false;
        }
        if (find(at)) {
            return true;
        }
        if (ended && later.get(0).firstSequence() == next) {
            return leave(later, true);
        }
        if (listing.isNewlyCompressed(at.segment())) { // and opened again by its name after an interrupt, it may be
            boolean unused = open(at.segment(), at.position(), at.offset());
            return true;
        }
        return listing.isGone(at.segment()) ? leave(later(at.segment()), true) : passDamage(at, ended);
    }

    /** Moves over records that were written and cannot be read; returns false where they may still be being written. */
    private boolean passDamage(SegmentReader at, boolean ended) throws IOException {
        CorruptLogException damage = at.corrupt(next);
        long place = at.position();
        long offset = at.offset();
        if (at.seek(next)) {
            long found = at.sequenceHere();
            long foundPlace = at.position();
            long foundOffset = at.offset();
            at.moveTo(place, offset);
            if (find(at)) { // it was written meanwhile
                return true;
            }
            if (listing.isGone(at.segment())) {
                return leave(later(at.segment()), true);
            }
            at.moveTo(foundPlace, foundOffset);
            return pass(found, damage);
        }
        List<Segment> complete =
                later(at.segment()); // one that was made during the first look may have been passed over
        boolean gone = listing.isGone(at.segment());
        if (!ended || complete.isEmpty() || gone || complete.get(0).firstSequence() <= next) {
            return ended && leave(complete, gone);
        }
        boolean unused = leave(complete, false);
        throw damage;
    }

    /** Looks for the next record in the owner's batches and then in the segment: the way that records go. */
    private boolean find(SegmentReader at) throws IOException {
        try {
            boolean unused = io.find(folder, at.segment(), at.position(), next);
            return at.find(next);
        } catch (NoSuchFileException takenBack) { // opened again after an interrupt
            return false;
        }
    }

    /** Returns whether something stands at the position that has the next sequence, and is not a whole record. */
    private boolean isTorn(SegmentReader at) throws IOException {
        try {
            return at.sequenceHere() == next;
        } catch (NoSuchFileException takenBack) {
            return false;
        }
    }

    /** Expects a record that was found behind damage. */
    private boolean pass(long found, CorruptLogException damage) throws CorruptLogException {
        boolean isLoss = found > Math.max(next, wanted);
        next = found;
        if (isLoss) {
            wanted = found;
            throw damage;
        }
        return true;
    }

    /** Moves to the first of these segments, if there is one. */
    private boolean leave(List<Segment> later, boolean counting) throws IOException {
        if (later.isEmpty()) {
            return false;
        }
        if (open(later.get(0))) {
            enter(later.get(0), counting);
        }
        return true; // where it was taken back just now, the next look begins anew
    }

    private List<Segment> later(Segment here) throws IOException {
        long epoch = here.header().epoch();
        return listing.read().stream().filter(s -> s.header().epoch() > epoch).toList();
    }

    /** Returns whether a record stands at the beginning of one of these segments: what belongs before it was written earlier. */
    private boolean hasRecords(List<Segment> segments) throws IOException {
        for (int i = segments.size() - 1; i >= 0; i--) {
            Segment segment = segments.get(i);
            try (SegmentReader begin = read(segment, SegmentReader.ConsumptionSink.NONE)) {
                boolean unused = io.find(folder, segment, SegmentHeader.BYTES, segment.firstSequence());
                if (begin.find(segment.firstSequence())) {
                    return true;
                }
            } catch (NoSuchFileException gone) {
                return true; // only one that has ended is taken back
            }
        }
        return false;
    }

    private SegmentReader read(Segment segment, SegmentReader.ConsumptionSink sink) throws IOException {
        return new SegmentReader(io, segment, SegmentHeader.BYTES, segment.offset(), sink);
    }

    @Override
    public void close() throws IOException {
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }
}
