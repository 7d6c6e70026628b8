package dev.touchstone.queue.log.segment;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogRefusedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/**
 * Reads one segment record by record: through a mapping where the segment has ended, through a window of reads where it still grows.
 * Not thread-safe.
 */
public final class SegmentReader implements Closeable {
    private static final int WINDOW_BYTES = 256 << 10;
    private static final int NOT_READ = -1;

    private final Segment segment;
    private final FileIo.DataFile file;
    private final ConsumptionSink consumption;
    private final ByteBuffer window;
    private final ByteBuffer view;
    private final boolean mapped;
    private ByteBuffer payload;
    private byte @Nullable [] copy;
    private long windowStart;
    private int windowBytes;
    private long position;
    private long offset;
    private int recordBytes;
    private boolean delayed;

    /** Is given each record that a reader passes and that nobody appended. */
    public interface ConsumptionSink {
        ConsumptionSink NONE = (kind, payload) -> {};

        void record(int kind, ByteBuffer payload);
    }

    /**
     * @param window of {@link #newWindow}, this reader's until it is closed
     * @param position where the next record is expected
     * @param offset bytes of all records before it
     */
    public SegmentReader(
            FileIo io, Segment segment, ByteBuffer window, long position, long offset, ConsumptionSink consumption)
            throws IOException {
        this.segment = segment;
        this.position = position;
        this.offset = offset;
        this.consumption = consumption;
        this.file = open(io, segment);
        try {
            long bytes = file.size();
            boolean complete = segment.endSequence() < Long.MAX_VALUE && bytes <= segment.bytes();
            this.window = complete ? segment.mapping(file, (int) bytes) : window;
            this.windowBytes = complete ? (int) bytes : NOT_READ;
            this.mapped = complete;
            if (complete) {
                file.close(); // the mapping stays
            }
        } catch (IOException | RuntimeException | Error e) {
            file.close();
            throw e;
        }
        this.view = this.window.duplicate();
        this.payload = view;
    }

    /** A file that cannot be opened, but is there, is refused for as long as there are too many open. */
    private static FileIo.DataFile open(FileIo io, Segment segment) throws IOException {
        try {
            return io.open(segment.path(), FileIo.Access.READ);
        } catch (NoSuchFileException gone) {
            throw gone;
        } catch (IOException e) {
            throw new LogRefusedException(e);
        }
    }

    public static ByteBuffer newWindow() {
        return ByteBuffer.allocateDirect(WINDOW_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    public Segment segment() {
        return segment;
    }

    /** Where the next record is read. */
    public long position() {
        return position;
    }

    /** Bytes of all records before the one at the position. */
    public long offset() {
        return offset;
    }

    /**
     * True where the record with this sequence stands whole and unharmed at the position; {@link #payload} then has its payload.
     * Does not move, but over floors.
     *
     * <p>The window may have been filled before the record was written, so a first look that fails is followed by one with fresh
     * bytes.
     */
    public boolean find(long sequence) throws IOException {
        return find(sequence, false);
    }

    /**
     * As {@link #find}, with the payload in an array of its own; null where the record isn't there. It is the copy that is checked, so it
     * is right also where the file is taken back meanwhile.
     */
    public byte @Nullable [] read(long sequence) throws IOException {
        return find(sequence, true) ? copy : null;
    }

    private boolean find(long sequence, boolean copying) throws IOException {
        try {
            boolean mayBeStale = !mapped && holds(position, RecordFormat.HEADER_BYTES);
            if (findHere(sequence, copying)) {
                return true;
            }
            if (mayBeStale) {
                windowBytes = NOT_READ;
                return findHere(sequence, copying);
            }
            return false;
        } catch (InternalError unreadablePage) {
            throw new CorruptLogException(segment.path(), position, "page", "one that can be read", unreadablePage);
        }
    }

    /** The payload that {@link #find} found, between position and limit; valid until the next call. */
    public ByteBuffer payload() {
        return payload;
    }

    /** Bytes that the record takes which {@link #find} found. */
    public int recordBytes() {
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

    /** Moves to the next place that holds a whole record with this or a later sequence; false where there is none. */
    public boolean seek(long sequence) throws IOException {
        long start = position;
        long mostAhead = sequence + segment.bytes() / RecordFormat.HEADER_BYTES;
        for (long at = start + RecordFormat.ALIGNMENT;
                load(at, RecordFormat.HEADER_BYTES);
                at += RecordFormat.ALIGNMENT) {
            long found = RecordFormat.sequence(window, (int) (at - windowStart));
            if (found >= sequence && found <= mostAhead) {
                position = at;
                if (findHere(found, false)) {
                    offset += position - start; // with the floors in between: exact again in the next segment
                    return true;
                }
            }
        }
        position = start;
        return false;
    }

    /** The sequence that stands at the position, whether or not its record is whole. */
    public long sequenceHere() throws IOException {
        return load(position, RecordFormat.HEADER_BYTES)
                ? RecordFormat.sequence(window, (int) (position - windowStart))
                : 0;
    }

    /** What to throw where the record with this sequence should stand and does not. */
    public CorruptLogException corrupt(long sequence) throws IOException {
        long found = sequenceHere();
        return found == sequence
                ? new CorruptLogException(segment.path(), position, "record", "matching CRC", "another")
                : new CorruptLogException(segment.path(), position, "record sequence", sequence, found);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private boolean findHere(long sequence, boolean copying) throws IOException {
        for (; ; ) {
            if (!load(position, RecordFormat.HEADER_BYTES)) {
                return false;
            }
            int at = (int) (position - windowStart);
            int word = RecordFormat.word(window, at);
            int check = RecordFormat.check(window, at);
            int length = RecordFormat.length(word);
            if (RecordFormat.sequence(window, at) != sequence
                    || RecordFormat.kind(word) > RecordFormat.DELAYED
                    || length > segment.bytes() - position - RecordFormat.HEADER_BYTES
                    || !loadPayload(length)
                    || check(sequence, word, copying) != check) {
                return false;
            }
            if (isAppended(word)) {
                delayed = RecordFormat.kind(word) == RecordFormat.DELAYED;
                recordBytes = RecordFormat.recordBytes(length);
                return true;
            }
            consumption.record(RecordFormat.kind(word), payload.duplicate());
            position += RecordFormat.recordBytes(length);
        }
    }

    private int check(long sequence, int word, boolean copying) {
        if (!copying || !isAppended(word)) {
            return RecordFormat.check(sequence, segment.salt(), word, payload);
        }
        byte[] bytes = new byte[payload.remaining()];
        payload.get(bytes);
        copy = bytes;
        return RecordFormat.check(sequence, segment.salt(), word, bytes);
    }

    private static boolean isAppended(int word) {
        int kind = RecordFormat.kind(word);
        return kind == RecordFormat.APPENDED || kind == RecordFormat.DELAYED;
    }

    private boolean loadPayload(int length) throws IOException {
        long start = position + RecordFormat.HEADER_BYTES;
        if (mapped || length <= WINDOW_BYTES - RecordFormat.HEADER_BYTES) {
            if (!load(position, RecordFormat.HEADER_BYTES + length)) {
                return false;
            }
            int at = (int) (start - windowStart);
            payload = view.limit(at + length).position(at);
            return true;
        }
        if (start + length > file.size()) {
            return false;
        }
        payload = ByteBuffer.allocate(length);
        boolean whole = file.read(payload, start) == length;
        payload.flip();
        return whole;
    }

    private boolean holds(long at, int bytes) {
        return windowBytes != NOT_READ && at >= windowStart && at + bytes <= windowStart + windowBytes;
    }

    /** Gets {@code bytes} from {@code at} into the window; false where the file ends before. */
    private boolean load(long at, int bytes) throws IOException {
        if (mapped || holds(at, bytes)) {
            return holds(at, bytes);
        }
        window.clear();
        windowBytes = file.read(window, at);
        windowStart = at;
        return windowBytes >= bytes;
    }
}
