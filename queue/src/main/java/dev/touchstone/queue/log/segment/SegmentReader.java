package dev.touchstone.queue.log.segment;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogRefusedException;
import dev.touchstone.queue.log.MissingCodecException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads one segment record by record, through a pooled window that grows while the reads are sequential. Not thread-safe; the segment may be
 * taken back at any time, which closes the reader's file, so that every later read fails.
 */
public final class SegmentReader implements Closeable {
    private static final int GROWTH = 4;
    private static final int NOT_READ = -1;
    private static final int HEADER_BYTES = RecordFormat.HEADER_BYTES;
    private static final int MAX_UNLIMITED_BYTES = 512;
    private static final int MAX_LIKELY_PASSES = 16;
    private static final int MAX_UNLIKELY_PASSES = 4;

    private final Segment segment;
    private final FileIo.DataFile file;
    private final ConsumptionSink consumption;
    private ByteBuffer pooled = WindowPool.NONE; // which the window is, or is a part of
    private ByteBuffer window = WindowPool.NONE;
    private ByteBuffer view = WindowPool.NONE;
    private ByteBuffer payload = WindowPool.NONE;
    private byte[] copy = {};
    private final ByteBuffer successor = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C crc = new CRC32C();
    private long windowStart;
    private int windowBytes = NOT_READ;
    private int windowWanted = WindowPool.SMALL_BYTES;
    private @Nullable ReadAhead ahead;
    private long position;
    private long offset;
    private int recordBytes;
    private boolean delayed;
    private long endOfData = NOT_READ; // of the present seek

    /** Receives each record that a reader passes and that nobody appended. */
    public interface ConsumptionSink {
        /** Ignores the records. */
        ConsumptionSink NONE = (kind, payload) -> {};

        /**
         * Receives one record.
         *
         * @param kind of the record
         * @param payload of the record, valid during the call only
         */
        void record(int kind, ByteBuffer payload);
    }

    /**
     * Opens the segment's file.
     *
     * @param position where the next record is expected, in bytes from the file's start
     * @param offset bytes of all records of the log before that one
     * @param consumption receives the records of consumption that the reader passes
     * @throws NoSuchFileException if the segment was taken back
     * @throws LogRefusedException if the file cannot be opened now, such as with too many open files
     */
    public SegmentReader(FileIo io, Segment segment, long position, long offset, ConsumptionSink consumption)
            throws IOException {
        this.segment = segment;
        this.position = position;
        this.offset = offset;
        this.consumption = consumption;
        this.file = open(io, segment);
    }

    private static FileIo.DataFile open(FileIo io, Segment segment) throws IOException {
        try {
            return segment.openToRead(io);
        } catch (NoSuchFileException | CorruptLogException | MissingCodecException lasting) {
            throw lasting;
        } catch (IOException e) {
            throw new LogRefusedException(e);
        }
    }

    /** Returns the segment that is read. */
    public Segment segment() {
        return segment;
    }

    /** Returns where the next record is read, in bytes from the file's start. */
    public long position() {
        return position;
    }

    /** Returns the bytes of all records of the log before the one at the position. */
    public long offset() {
        return offset;
    }

    /**
     * Checks that the record with this sequence stands whole and unharmed at the position; {@link #payload} then has its payload. Does not
     * move, except over records of consumption.
     *
     * <p>The window may have been filled before the record was written, so a first look that fails is followed by one with fresh
     * bytes.
     *
     * @return whether the record is there
     */
    public boolean find(long sequence) throws IOException {
        return find(sequence, false);
    }

    /** Returns the payload of the record with this sequence in an array of its own; null where {@link #find} would not find the record. */
    public byte @Nullable [] read(long sequence) throws IOException {
        return find(sequence, true) ? copy : null;
    }

    private boolean find(long sequence, boolean copying) throws IOException {
        boolean mayBeStale = holds(position, HEADER_BYTES);
        if (findHere(sequence, copying)) {
            return true;
        }
        if (mayBeStale) {
            windowBytes = NOT_READ;
            return findHere(sequence, copying);
        }
        return false;
    }

    /** Returns the payload that {@link #find} found, between position and limit; valid until the reader's next call. */
    ByteBuffer payload() {
        return payload;
    }

    /** Returns the bytes of the record that {@link #find} found, header and padding included; 0 after {@link #advance}. */
    int recordBytes() {
        return recordBytes;
    }

    /** Returns whether the record that {@link #find} found begins with the time before which it is not handed out. */
    public boolean isDelayed() {
        return delayed;
    }

    /** Moves behind the record that {@link #find} found. */
    public void advance() {
        position += recordBytes;
        offset += recordBytes;
        recordBytes = 0;
    }

    /** Moves to a place where this reader was before. */
    public void moveTo(long newPosition, long newOffset) {
        position = newPosition;
        offset = newOffset;
    }

    /**
     * Moves to the next place that holds a whole record with this or a later sequence.
     *
     * @return false where there is none; the reader has not moved then
     */
    public boolean seek(long sequence) throws IOException {
        return seek(sequence, sequence, HEADER_BYTES);
    }

    /** Moves as {@link #seek(long)} does, to a record whose sequence lies between two, both included. */
    boolean seek(long minSequence, long maxSequence) throws IOException {
        return seek(minSequence, maxSequence, Long.MAX_VALUE);
    }

    /**
     * Moves to the next whole record, in time linear in the segment's length. Bytes of a payload may look like the header of a large record
     * every 8 bytes, so only small candidates are checksummed without limit. Large ones share two allowances, the larger for those
     * that the next record or the end follows, so that what looks unlikely does not use up what a real record needs.
     *
     * @param bytesPerSequence distance from here after which the largest sequence grows by 1
     */
    private boolean seek(long minSequence, long maxSequence, long bytesPerSequence) throws IOException {
        long start = position;
        long end = Math.min(segment.bytes(), file.size());
        endOfData = NOT_READ;
        long likelyBytes = MAX_LIKELY_PASSES * (end - start);
        long unlikelyBytes = MAX_UNLIKELY_PASSES * (end - start);
        for (long at = start + RecordFormat.ALIGNMENT; load(at, HEADER_BYTES); at += RecordFormat.ALIGNMENT) {
            int index = (int) (at - windowStart);
            long found = RecordFormat.sequence(window, index);
            int word = RecordFormat.word(window, index);
            int length = RecordFormat.length(word);
            if (found < minSequence
                    || found > maxSequence + (at - start) / bytesPerSequence
                    || RecordFormat.kind(word) > RecordFormat.DELAYED
                    || length > end - at - HEADER_BYTES) {
                continue;
            }
            if (length > MAX_UNLIMITED_BYTES) {
                long successor = RecordFormat.isAppended(word) ? found + 1 : found;
                boolean likely = isFollowedBy(successor, at + RecordFormat.recordBytes(length), end);
                if (length > (likely ? likelyBytes : unlikelyBytes)) {
                    continue;
                }
                likelyBytes -= likely ? length : 0;
                unlikelyBytes -= likely ? 0 : length;
                if (isLarge(length) && !isWhole(at, found, word)) {
                    continue;
                }
            }
            position = at;
            if (findHere(found, false)) {
                offset += position - start; // with the consumption in between: exact again in the next segment
                return true;
            }
        }
        position = start;
        return false;
    }

    /** Returns whether the place behind a candidate holds a header with this sequence, or nothing was written there. */
    private boolean isFollowedBy(long sequence, long at, long end) throws IOException {
        ByteBuffer source = window;
        int index = (int) (at - windowStart);
        if (!holds(at, HEADER_BYTES)) {
            source = successor;
            index = 0;
            if (file.read(source.clear(), at) < HEADER_BYTES) {
                return true;
            }
        }
        int word = RecordFormat.word(source, index);
        long found = RecordFormat.sequence(source, index);
        if (found == 0 && word == 0) {
            endOfData = endOfData == NOT_READ ? endOfData(end) : endOfData;
            return at >= endOfData; // a payload may have zeros, too
        }
        return found == sequence
                && RecordFormat.kind(word) <= RecordFormat.DELAYED
                && RecordFormat.length(word) <= end - at - HEADER_BYTES;
    }

    /** Returns the place from which on the segment holds zeros only. */
    private long endOfData(long end) throws IOException {
        ByteBuffer bytes = WindowPool.take(WindowPool.LARGE_BYTES);
        try {
            for (long to = end; to > 0; ) {
                long from = Math.max(0, to - WindowPool.LARGE_BYTES);
                int count = file.read(bytes.clear().limit((int) (to - from)), from);
                for (int i = count - 1; i >= 0; i--) {
                    if (bytes.get(i) != 0) {
                        return from + i + 1;
                    }
                }
                to = from;
            }
            return 0;
        } finally {
            WindowPool.give(bytes);
        }
    }

    /** Returns whether a large candidate's checksum matches; reads it piece by piece, as its length may be any number. */
    private boolean isWhole(long at, long sequence, int word) throws IOException {
        int check = RecordFormat.check(window, (int) (at - windowStart));
        long end = at + HEADER_BYTES + RecordFormat.length(word);
        crc.reset();
        for (long from = at + HEADER_BYTES; from < end; ) {
            int bytes = (int) Math.min(end - from, WindowPool.LARGE_BYTES);
            if (!load(from, bytes)) {
                return false;
            }
            int index = (int) (from - windowStart);
            crc.update(view.limit(index + bytes).position(index));
            from += bytes;
        }
        return RecordFormat.check(sequence, segment.salt(), word, (int) crc.getValue()) == check;
    }

    private static boolean isLarge(int length) {
        return length > WindowPool.LARGE_BYTES - HEADER_BYTES;
    }

    /** Returns the sequence that stands at the position, whether or not its record is whole; 0 behind the file's end. */
    public long sequenceHere() throws IOException {
        return load(position, HEADER_BYTES) ? RecordFormat.sequence(window, (int) (position - windowStart)) : 0;
    }

    /** Returns the exception for a position where the record with this sequence should stand and does not. */
    public CorruptLogException corrupt(long sequence) throws IOException {
        long found = sequenceHere();
        long end = position + RecordFormat.HEADER_BYTES;
        if (found == sequence) {
            end += RecordFormat.length(RecordFormat.word(window, (int) (position - windowStart)));
        }
        CorruptLogException block = segment.damagedBlock(file, position, end);
        if (block != null) {
            return block;
        }
        return found == sequence
                ? new CorruptLogException(segment.path(), position, "record", "matching CRC", "another")
                : new CorruptLogException(segment.path(), position, "record sequence", sequence, found);
    }

    /** Gives the window back until the next read; what {@link #payload} returned is not valid any more. */
    void rest() {
        abandonAhead();
        if (pooled.capacity() > 0) {
            use(WindowPool.NONE, WindowPool.NONE);
        }
        payload = WindowPool.NONE;
        windowBytes = NOT_READ;
    }

    /** Goes on with another window, and gives the pool the buffer of the one before. */
    private void use(ByteBuffer newPooled, ByteBuffer newWindow) {
        ByteBuffer unused = pooled;
        pooled = newPooled;
        window = newWindow;
        view = newWindow.duplicate();
        WindowPool.give(unused);
    }

    @Override
    public void close() throws IOException {
        rest();
        segment.close(file);
    }

    private boolean findHere(long sequence, boolean copying) throws IOException {
        for (; ; ) {
            if (!load(position, HEADER_BYTES)) {
                return false;
            }
            int at = (int) (position - windowStart);
            int word = RecordFormat.word(window, at);
            int kind = RecordFormat.kind(word);
            int length = RecordFormat.length(word);
            if (RecordFormat.sequence(window, at) != sequence
                    || kind > RecordFormat.DELAYED
                    || length > segment.bytes() - position - HEADER_BYTES) {
                return false;
            }
            int check = RecordFormat.check(window, at);
            boolean appended = RecordFormat.isAppended(word);
            boolean toArray = copying && appended;
            if (!loadPayload(length, toArray) || check(sequence, word, toArray) != check) {
                return false;
            }
            if (appended) {
                delayed = kind == RecordFormat.DELAYED;
                recordBytes = RecordFormat.recordBytes(length);
                return true;
            }
            consumption.record(kind, payload.duplicate());
            position += RecordFormat.recordBytes(length);
        }
    }

    /** Returns the check of what {@link #loadPayload} has loaded: of the array that is handed out, so that it is right whatever the file becomes. */
    private int check(long sequence, int word, boolean ofArray) {
        crc.reset();
        if (ofArray) {
            crc.update(copy, 0, copy.length);
        } else {
            int start = payload.position();
            crc.update(payload);
            payload.position(start);
        }
        return RecordFormat.check(sequence, segment.salt(), word, (int) crc.getValue());
    }

    /** Sets {@link #copy} or {@link #payload}; false where the file ends before. */
    private boolean loadPayload(int length, boolean toArray) throws IOException {
        long start = position + HEADER_BYTES;
        if (isLarge(length)) {
            return loadLarge(start, length);
        }
        if (!load(position, HEADER_BYTES + length)) {
            return false;
        }
        int at = (int) (start - windowStart);
        if (toArray) {
            copy = new byte[length];
            window.get(at, copy);
        } else {
            payload = view.limit(at + length).position(at);
        }
        return true;
    }

    private boolean loadLarge(long start, int length) throws IOException {
        if (start + length > file.size()) {
            return false;
        }
        copy = new byte[length];
        payload = ByteBuffer.wrap(copy);
        boolean whole = file.read(payload, start) == length;
        payload.flip();
        return whole;
    }

    private boolean holds(long at, int bytes) {
        return at >= windowStart && at + bytes <= windowStart + windowBytes;
    }

    /** Brings {@code bytes} from {@code at} into the window; false where the file ends before. */
    private boolean load(long at, int bytes) throws IOException {
        if (!holds(at, bytes)) {
            fill(at, bytes);
        }
        return windowBytes >= bytes;
    }

    /** Fills the window from {@code at} on: with more each time the read goes on where the last one ended, else with little. */
    private void fill(long at, int bytes) throws IOException {
        boolean sequential = windowBytes > 0 && at >= windowStart && at <= windowStart + windowBytes;
        windowWanted = sequential ? Math.min(windowWanted * GROWTH, WindowPool.HUGE_BYTES) : WindowPool.SMALL_BYTES;
        long written = segment.writtenBytes() - at;
        if (written > 0 && written < windowWanted) { // what is read before it is written has to be read again
            windowWanted = (int) Math.max(WindowPool.SMALL_BYTES, written);
        }
        if (!sequential || !fillFromAhead(at, bytes)) {
            abandonAhead();
            int wanted = Math.max(windowWanted, bytes);
            if (window.capacity() < wanted) {
                windowBytes = NOT_READ;
                enlarge(wanted, bytes);
            }
            windowBytes = NOT_READ; // in case the read fails half-way
            windowStart = at;
            windowBytes = file.read(window.clear().limit(Math.min(wanted, window.capacity())), at);
        }
        long end = windowStart + windowBytes;
        boolean fits =
                bytes <= ReadAhead.HEAD_BYTES; // a longer record at the window's end would not fit in front of the next
        boolean isLong = windowWanted == WindowPool.HUGE_BYTES && ReadAhead.isWhole(windowBytes);
        if (isLong && fits && segment.writtenBytes() - end >= ReadAhead.BYTES) {
            ahead = ReadAhead.begin(file, end, System.nanoTime());
        }
    }

    /** Goes on with a window of {@code wanted} bytes, or with one of at least {@code bytes} where memory is scarce. */
    private void enlarge(int wanted, int bytes) {
        ByteBuffer larger = pooled.capacity() < wanted ? WindowPool.tryTake(wanted) : null;
        if (larger == null && pooled.capacity() < bytes) {
            larger = WindowPool.take(bytes);
        }
        if (larger != null) {
            use(larger, larger);
        } else {
            window = pooled;
            view = pooled.duplicate();
        }
    }

    private void abandonAhead() {
        if (ahead != null) {
            ahead.abandon();
            ahead = null;
        }
    }

    /** Fills the window with what was read ahead, behind what is left of the present one; returns whether that has {@code bytes}. */
    private boolean fillFromAhead(long at, int bytes) {
        ReadAhead next = ahead;
        long end = windowStart + windowBytes;
        int left = (int) (end - at);
        if (next == null || !next.follows(end) || left > ReadAhead.HEAD_BYTES) {
            return false;
        }
        ahead = null;
        ByteBuffer read = next.take();
        if (read == null) {
            return false;
        }
        int start = ReadAhead.HEAD_BYTES - left;
        int filled = read.position() - start;
        read.put(start, window, (int) (at - windowStart), left);
        use(read, read.slice(start, filled).order(ByteOrder.LITTLE_ENDIAN));
        windowStart = at;
        windowBytes = filled;
        return filled >= bytes;
    }
}
