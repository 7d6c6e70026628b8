package dev.touchstone.queue.log.consume;

import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.consume.ConsumerState.Place;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads the cursor files of format 1: {@code CURSOR}, the log's own, and {@code cursor-<name>}. Two slots of 4 KiB, little-endian, of which
 * the higher turn counts:
 *
 * <pre>
 *  0       8      16   24      32        40         48       56           64      68      72        80
 *  +-------+------+----+-------+---------+----------+--------+------------+-------+-------+---------+----------------+
 *  | magic | turn | id | floor | segment | position | offset | checkpoint | flags | count | CRC-32C | count x (8, 8) |
 *  +-------+------+----+-------+---------+----------+--------+------------+-------+-------+---------+----------------+
 * </pre>
 */
final class LegacyCursorFile {
    static final String OWN = "CURSOR";
    static final String NAMED = "cursor-";

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
    private static final int MAX_RANGES = 250;

    private LegacyCursorFile() {}

    /**
     * A cursor file of format 1.
     *
     * @param checkpoint every record before this sequence is on the device
     */
    record Content(ConsumerState cursor, long checkpoint, boolean writtenThrough) {}

    static boolean isOne(Path file) {
        String name = file.getFileName().toString();
        return name.equals(OWN) || name.startsWith(NAMED);
    }

    /** Returns what a file says, or null where neither slot is whole. */
    static @Nullable Content read(FileIo io, Path path) throws IOException {
        Content newest = null;
        long turn = 0;
        try (FileIo.DataFile file = io.open(path, FileIo.Access.READ)) {
            for (int at = 0; at <= SLOT_BYTES; at += SLOT_BYTES) {
                ByteBuffer slot = ByteBuffer.allocate(SLOT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
                if (isWhole(slot, file.read(slot, at)) && slot.getLong(TURN) > turn) {
                    turn = slot.getLong(TURN);
                    newest = decode(path, slot);
                }
            }
        }
        return newest;
    }

    private static Content decode(Path path, ByteBuffer slot) {
        String file = path.getFileName().toString();
        String name = file.equals(OWN) ? "" : file.substring(NAMED.length());
        long floor = slot.getLong(FLOOR);
        ConsumerState cursor = new ConsumerState(slot.getLong(ID), name, floor);
        cursor.placed(new Place(floor, slot.getLong(SEGMENT), slot.getLong(POSITION), slot.getLong(OFFSET)));
        for (int at = RANGES; at < RANGES + slot.getInt(COUNT) * RANGE_BYTES; at += RANGE_BYTES) {
            cursor.consume(slot.getLong(at), slot.getLong(at + Long.BYTES));
        }
        return new Content(cursor, slot.getLong(CHECKPOINT), (slot.getInt(FLAGS) & 1) != 0);
    }

    private static boolean isWhole(ByteBuffer slot, int bytes) {
        if (bytes < RANGES || slot.getLong(0) != MAGIC) {
            return false;
        }
        int count = slot.getInt(COUNT);
        int used = RANGES + count * RANGE_BYTES;
        return count >= 0 && count <= MAX_RANGES && used <= bytes && slot.getLong(CRC) == checksum(slot, used);
    }

    private static long checksum(ByteBuffer slot, int bytes) {
        CRC32C crc = new CRC32C();
        crc.update(slot.duplicate().clear().limit(CRC));
        crc.update(slot.duplicate().clear().limit(bytes).position(RANGES));
        return crc.getValue();
    }
}
