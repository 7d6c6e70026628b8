package dev.touchstone.queue.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Reads one segment record by record: through a mapping where the segment has ended, through a window of reads where it still grows.
 * Not thread-safe.
 */
final class SegmentReader implements Closeable {
    private static final int WINDOW_BYTES = 256 << 10;
    private static final int NOT_READ = -1;

    private final Segment segment;
    private final FileIo.DataFile file;
    private final ByteBuffer window;
    private final boolean mapped;
    private long windowStart;
    private int windowBytes;
    private long position;
    private int recordBytes;

    /** @param window of {@link #newWindow}, this reader's until it is closed */
    SegmentReader(FileIo io, Segment segment, ByteBuffer window, long position) throws IOException {
        this.segment = segment;
        this.position = position;
        this.file = io.open(segment.path(), FileIo.Access.READ);
        long bytes = file.size();
        boolean complete = segment.endSequence() < Long.MAX_VALUE && bytes <= segment.bytes();
        this.window = complete ? file.map((int) bytes).order(ByteOrder.LITTLE_ENDIAN) : window;
        this.windowBytes = complete ? (int) bytes : NOT_READ;
        this.mapped = complete;
    }

    static ByteBuffer newWindow() {
        return ByteBuffer.allocateDirect(WINDOW_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    Segment segment() {
        return segment;
    }

    /** Where the next record is read. */
    long position() {
        return position;
    }

    /**
     * The payload of the record with this sequence if it stands whole and unharmed at the position, else null. Does not move.
     *
     * <p>The window may have been filled before the record was written, so a first look that fails is followed by one with fresh
     * bytes.
     */
    byte @Nullable [] read(long sequence) throws IOException {
        try {
            boolean mayBeStale = !mapped && holds(position, RecordFormat.HEADER_BYTES);
            byte[] payload = tryRead(sequence);
            if (payload == null && mayBeStale) {
                windowBytes = NOT_READ;
                payload = tryRead(sequence);
            }
            return payload;
        } catch (InternalError unreadablePage) {
            throw new IOException(
                    "cannot read a mapped page: file=" + segment.path() + " offset=" + position, unreadablePage);
        }
    }

    /** Moves behind the record that {@link #read} gave. */
    void advance() {
        position += recordBytes;
        recordBytes = 0;
    }

    /** Moves to the next place that holds a whole record with a sequence above {@code sequence}; false where there is none. */
    boolean seekAbove(long sequence) throws IOException {
        long mostAhead = sequence + segment.bytes() / RecordFormat.HEADER_BYTES;
        for (long at = position + RecordFormat.ALIGNMENT; load(at, RecordFormat.HEADER_BYTES); ) {
            long found = RecordFormat.sequence(window, (int) (at - windowStart));
            if (found > sequence && found <= mostAhead) {
                position = at;
                if (tryRead(found) != null) {
                    return true;
                }
            }
            at += RecordFormat.ALIGNMENT;
        }
        return false;
    }

    /** The sequence that stands at the position, whether or not its record is whole. */
    long sequenceHere() throws IOException {
        return load(position, RecordFormat.HEADER_BYTES)
                ? RecordFormat.sequence(window, (int) (position - windowStart))
                : 0;
    }

    /** What to throw where the record with this sequence should stand and does not. */
    CorruptLogException corrupt(long sequence) throws IOException {
        long found = sequenceHere();
        return found == sequence
                ? new CorruptLogException(segment.path(), position, "record", "matching CRC", "another")
                : new CorruptLogException(segment.path(), position, "record sequence", sequence, found);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private byte @Nullable [] tryRead(long sequence) throws IOException {
        if (!load(position, RecordFormat.HEADER_BYTES)) {
            return null;
        }
        int offset = (int) (position - windowStart);
        int length = RecordFormat.length(window, offset);
        long room = segment.bytes() - position - RecordFormat.HEADER_BYTES;
        if (RecordFormat.sequence(window, offset) != sequence
                || length < 0
                || length > Math.min(room, RecordFormat.MAX_PAYLOAD_BYTES)) {
            return null;
        }
        int check = RecordFormat.check(window, offset);
        byte[] payload = payload(length);
        if (payload == null || RecordFormat.check(sequence, segment.salt(), payload) != check) {
            return null;
        }
        recordBytes = RecordFormat.recordBytes(length);
        return payload;
    }

    private byte @Nullable [] payload(int length) throws IOException {
        long start = position + RecordFormat.HEADER_BYTES;
        if (length > WINDOW_BYTES - RecordFormat.HEADER_BYTES) {
            if (start + length > file.size()) {
                return null;
            }
            byte[] payload = new byte[length];
            return file.read(ByteBuffer.wrap(payload), start) == length ? payload : null;
        }
        if (!load(position, RecordFormat.HEADER_BYTES + length)) {
            return null;
        }
        byte[] payload = new byte[length];
        window.get((int) (start - windowStart), payload);
        return payload;
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
