package dev.touchstone.queue.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * What of the log is consumed and what of it is known to be on the device. Thread-safe.
 *
 * <p>Two slots of 512 bytes, little-endian, written in turn, so that a torn write leaves the other; the higher turn counts:
 *
 * <pre>
 *  0       8      16             24            32         40           48      56        64
 *  +-------+------+--------------+-------------+----------+------------+-------+---------+---- - -+
 *  | magic | turn | next to read | its segment | position | checkpoint | flags | CRC-32C | zeros  |
 *  +-------+------+--------------+-------------+----------+------------+-------+---------+---- - -+
 * </pre>
 */
final class CursorFile implements Closeable {
    private static final long MAGIC = 0x3152_5543_5351_5444L; // "DTQSCUR1"
    private static final int SLOT_BYTES = 512;
    private static final int TURN = 8;
    private static final int NEXT = 16;
    private static final int SEGMENT = 24;
    private static final int POSITION = 32;
    private static final int CHECKPOINT = 40;
    private static final int FLAGS = 48;
    private static final int CRC = 56;
    private static final int WRITTEN_THROUGH = 1;

    private final FileIo.DataFile file;
    private final ByteBuffer slot = ByteBuffer.allocateDirect(SLOT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C crc = new CRC32C();

    // Guarded by this.
    private State state;
    private long turn;

    /**
     * @param next sequence of the first record that is not consumed
     * @param segment first sequence of the segment that holds it
     * @param position where it stands there
     * @param checkpoint every record before this sequence is on the device
     * @param writtenThrough whether segments after the checkpoint were written through to the device (flag 1)
     */
    record State(long next, long segment, long position, long checkpoint, boolean writtenThrough) {
        static final State START = new State(1, 1, SegmentHeader.BYTES, 1, false);
    }

    private CursorFile(FileIo.DataFile file) throws IOException {
        this.file = file;
        this.state = State.START;
        for (int at = 0; at <= SLOT_BYTES; at += SLOT_BYTES) {
            slot.clear();
            boolean whole =
                    file.read(slot, at) == SLOT_BYTES && slot.getLong(0) == MAGIC && slot.getLong(CRC) == checksum();
            if (whole && slot.getLong(TURN) > turn) {
                turn = slot.getLong(TURN);
                state = new State(
                        slot.getLong(NEXT),
                        slot.getLong(SEGMENT),
                        slot.getLong(POSITION),
                        slot.getLong(CHECKPOINT),
                        (slot.getLong(FLAGS) & WRITTEN_THROUGH) != 0);
            }
        }
    }

    /** Opens the file, made where absent; where neither slot is whole, the log counts as unread. */
    static CursorFile open(FileIo io, Path path) throws IOException {
        return new CursorFile(io.create(path, FileIo.Access.WRITE));
    }

    synchronized State state() {
        return state;
    }

    /** Remembers what is consumed; in the page cache on return. */
    synchronized void consumed(long next, long segment, long position) throws IOException {
        write(new State(next, segment, position, state.checkpoint, state.writtenThrough));
    }

    /** Remembers that every record before {@code sequence} is on the device; in the page cache on return. */
    synchronized void checkpoint(long sequence) throws IOException {
        if (sequence > state.checkpoint) {
            write(new State(state.next, state.segment, state.position, sequence, state.writtenThrough));
        }
    }

    /** Begins a use of the log, in which nothing before {@code sequence} is written again; on the device on return. */
    synchronized void begin(long sequence, boolean writtenThrough) throws IOException {
        write(new State(state.next, state.segment, state.position, sequence, writtenThrough));
        force();
    }

    private void write(State newState) throws IOException {
        long newTurn = turn + 1;
        slot.putLong(0, MAGIC).putLong(TURN, newTurn);
        slot.putLong(NEXT, newState.next).putLong(SEGMENT, newState.segment).putLong(POSITION, newState.position);
        slot.putLong(CHECKPOINT, newState.checkpoint).putLong(FLAGS, newState.writtenThrough ? WRITTEN_THROUGH : 0);
        slot.putLong(CRC, checksum());
        file.write(slot.clear(), (newTurn & 1) * SLOT_BYTES);
        turn = newTurn; // only now: a write that failed is repeated in the same slot
        state = newState;
    }

    private long checksum() {
        crc.reset();
        crc.update(slot.clear().limit(CRC));
        slot.clear();
        return crc.getValue();
    }

    void force() throws IOException {
        file.force();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
