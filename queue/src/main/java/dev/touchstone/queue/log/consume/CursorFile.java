package dev.touchstone.queue.log.consume;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.segment.SegmentHeader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;

/**
 * What of the log one cursor has consumed, and (in the log's own) what of the log is known to be on the device. Thread-safe.
 *
 * <p>Two slots of 4 KiB, little-endian, written in turn, so that a torn write leaves the other; the higher turn counts:
 *
 * <pre>
 *  0       8      16   24      32        40         48       56           64      68      72        80
 *  +-------+------+----+-------+---------+----------+--------+------------+-------+-------+---------+----------------+
 *  | magic | turn | id | floor | segment | position | offset | checkpoint | flags | count | CRC-32C | count x (8, 8) |
 *  +-------+------+----+-------+---------+----------+--------+------------+-------+-------+---------+----------------+
 * </pre>
 *
 * <p>The pairs are ranges of sequences (first, end) above the floor that are consumed too: acknowledged or removed out of order.
 */
public final class CursorFile implements Closeable {
    /** Ranges that a slot has room for. */
    public static final int MAX_RANGES = 250;

    private static final long MAGIC = 0x3152_5543_5351_5444L; // "DTQSCUR1"
    private static final int SLOT_BYTES = 4096;
    private static final int TURN = 8;
    private static final int ID = 16;
    private static final int FLOOR = 24;
    private static final int SEGMENT = 32;
    private static final int POSITION = 40;
    private static final int OFFSET = 48;
    private static final int CHECKPOINT = 56;
    private static final int FLAGS = 64;
    private static final int COUNT = 68;
    private static final int CRC = 72;
    private static final int RANGES = 80;
    private static final int RANGE_BYTES = 16;
    private static final int WRITTEN_THROUGH = 1;
    public static final long[] NO_RANGES = {};

    private final FileIo.DataFile file;
    private final ByteBuffer slot = ByteBuffer.allocateDirect(SLOT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C crc = new CRC32C();
    private final long id;

    @GuardedBy("this")
    private long turn;

    @GuardedBy("this")
    private long floor = 1;

    @GuardedBy("this")
    private long segment = 1;

    @GuardedBy("this")
    private long position = SegmentHeader.BYTES;

    @GuardedBy("this")
    private long offset;

    @GuardedBy("this")
    private long checkpoint = 1;

    @GuardedBy("this")
    private boolean writtenThrough;

    @GuardedBy("this")
    private long[] ranges = NO_RANGES;

    /**
     * @param floor sequence of the first record that is not consumed
     * @param segment first sequence of the segment that holds it
     * @param position where it stands there
     * @param offset bytes of all records before it
     * @param checkpoint every record before this sequence is on the device
     * @param writtenThrough whether segments after the checkpoint were written through to the device (flag 1)
     * @param ranges first sequence and end, in turn, of what is consumed above the floor
     */
    public record State(
            long floor,
            long segment,
            long position,
            long offset,
            long checkpoint,
            boolean writtenThrough,
            List<Long> ranges) {}

    private CursorFile(FileIo.DataFile file) throws IOException {
        this.file = file;
        long foundId = 0;
        for (int at = 0; at <= SLOT_BYTES; at += SLOT_BYTES) {
            if (isWhole(file.read(slot.clear(), at)) && slot.getLong(TURN) > turn) {
                foundId = slot.getLong(ID);
                turn = slot.getLong(TURN);
                floor = slot.getLong(FLOOR);
                segment = slot.getLong(SEGMENT);
                position = slot.getLong(POSITION);
                offset = slot.getLong(OFFSET);
                checkpoint = slot.getLong(CHECKPOINT);
                writtenThrough = (slot.getInt(FLAGS) & WRITTEN_THROUGH) != 0;
                ranges = new long[2 * slot.getInt(COUNT)];
                slot.clear().position(RANGES).asLongBuffer().get(ranges);
            }
        }
        this.id = foundId == 0 ? ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE) : foundId;
    }

    /** Opens the file, made where absent; where neither slot is whole, the log counts as unread. */
    public static CursorFile open(FileIo io, Path path) throws IOException {
        return new CursorFile(io.create(path, FileIo.Access.WRITE));
    }

    /** Tells this cursor from an earlier one of the same name. */
    public long id() {
        return id;
    }

    public synchronized State state() {
        return new State(
                floor,
                segment,
                position,
                offset,
                checkpoint,
                writtenThrough,
                LongStream.of(ranges).boxed().toList());
    }

    /** Remembers what is consumed; in the page cache on return. Sees {@code newRanges} copied before it is changed. */
    public synchronized void consumed(long newFloor, long at, long newPosition, long newOffset, long... newRanges)
            throws IOException {
        write(newFloor, at, newPosition, newOffset, checkpoint, newRanges);
        floor = newFloor;
        segment = at;
        position = newPosition;
        offset = newOffset;
        ranges = newRanges.length == 0 ? NO_RANGES : newRanges.clone();
    }

    /** Remembers that every record before {@code sequence} is on the device; in the page cache on return. */
    public synchronized void checkpoint(long sequence) throws IOException {
        if (sequence > checkpoint) {
            write(floor, segment, position, offset, sequence, ranges);
            checkpoint = sequence;
        }
    }

    /**
     * Begins a use of the log, in which nothing before {@code sequence} is written again; on the device on return. Writes both slots,
     * so that later writes need no room on the disk.
     */
    public synchronized void begin(long sequence, boolean through) throws IOException {
        writtenThrough = through;
        write(floor, segment, position, offset, sequence, ranges);
        checkpoint = sequence;
        write(floor, segment, position, offset, sequence, ranges);
        file.force();
    }

    /** The sequence after the last that is consumed. */
    public synchronized long end() {
        return ranges.length == 0 ? floor : Math.max(floor, ranges[ranges.length - 1]);
    }

    /** Moves the floor to {@code sequence} where it is lower, which the log itself tells of; on the device on return. */
    public synchronized void raise(long sequence) throws IOException {
        if (sequence > floor) {
            consumed(sequence, 0, 0, 0, ranges);
            file.force();
        }
    }

    /** Begins a new cursor; on the device on return. */
    public synchronized void startAt(long sequence) throws IOException {
        floor = sequence;
        segment = 0;
        begin(sequence, false);
    }

    @GuardedBy("this")
    private void write(long f, long s, long p, long o, long c, long... r) throws IOException {
        long newTurn = turn + 1;
        slot.clear();
        slot.putLong(0, MAGIC).putLong(TURN, newTurn).putLong(ID, id);
        slot.putLong(FLOOR, f).putLong(SEGMENT, s).putLong(POSITION, p).putLong(OFFSET, o);
        slot.putLong(CHECKPOINT, c).putInt(FLAGS, writtenThrough ? WRITTEN_THROUGH : 0);
        slot.putInt(COUNT, r.length / 2);
        for (int i = 0; i < r.length; i++) {
            slot.putLong(RANGES + i * Long.BYTES, r[i]);
        }
        int bytes = RANGES + r.length * Long.BYTES;
        slot.putLong(CRC, checksum(bytes));
        file.write(slot.clear().limit(bytes), (newTurn & 1) * SLOT_BYTES);
        turn = newTurn; // only now: a write that failed is repeated in the same slot
    }

    private boolean isWhole(int bytes) {
        if (bytes < RANGES || slot.getLong(0) != MAGIC) {
            return false;
        }
        int count = slot.getInt(COUNT);
        int used = RANGES + count * RANGE_BYTES;
        return count >= 0 && count <= MAX_RANGES && used <= bytes && slot.getLong(CRC) == checksum(used);
    }

    /** Over what is used of the slot, but the field itself. */
    private long checksum(int bytes) {
        crc.reset();
        crc.update(slot.clear().limit(CRC));
        crc.update(slot.clear().limit(bytes).position(RANGES));
        slot.clear();
        return crc.getValue();
    }

    public void force() throws IOException {
        file.force();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
