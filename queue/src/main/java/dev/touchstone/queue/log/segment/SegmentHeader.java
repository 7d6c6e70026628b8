package dev.touchstone.queue.log.segment;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The first 4 KiB of a segment, little-endian: the same 2 KiB twice, so that damage to one leaves the other; records begin behind
 * them.
 *
 * <pre>
 *  0        8         12        16              32      40               48       56      60        64
 *  +--------+---------+---------+---------------+-------+----------------+--------+-------+---------+---- - -+
 *  | magic  | version | bytes   | log id (UUID) | epoch | first sequence | offset | flags | CRC-32C | zeros  |
 *  +--------+---------+---------+---------------+-------+----------------+--------+-------+---------+---- - -+
 * </pre>
 *
 * @param segmentBytes length that the segment may grow to, header included
 * @param logId the same in all segments of a folder
 * @param epoch grows with every segment that is begun in the folder; never used twice, and the file's name
 * @param firstSequence of the first record that the segment may hold
 * @param offset bytes of all records that were ever appended before the first of this segment
 * @param writtenThrough whether every write went to the device before its records were acknowledged (flag 1)
 * @param compressed whether a {@link BlockTable} follows, and not the records (flag 2, version 3)
 */
public record SegmentHeader(
        int segmentBytes,
        UUID logId,
        long epoch,
        long firstSequence,
        long offset,
        boolean writtenThrough,
        boolean compressed) {
    /** Bytes of both copies, behind which the records begin. */
    public static final int BYTES = 4096;

    private static final long MAGIC = 0x3147_4553_5351_5444L; // "DTQSSEG1"
    private static final int VERSION = 2;
    private static final int OLDEST_VERSION = 1;
    private static final int COMPRESSED_VERSION = 3;
    private static final int VERSION_AT = 8;
    private static final int SEGMENT_BYTES_AT = 12;
    private static final int LOG_ID_AT = 16;
    private static final int EPOCH_AT = 32;
    private static final int FIRST_SEQUENCE_AT = 40;
    private static final int OFFSET_AT = 48;
    private static final int FLAGS_AT = 56;
    private static final int CRC_AT = 60;

    /** Bytes of a copy that are not zeros. */
    static final int USED = 64;

    private static final int COPY_BYTES = BYTES / 2;
    private static final int WRITTEN_THROUGH = 1;
    private static final int COMPRESSED = 2;
    private static final int LOOKED_AT = 64 << 10;

    /** Describes a segment that is not compressed. */
    public SegmentHeader(
            int segmentBytes, UUID logId, long epoch, long firstSequence, long offset, boolean writtenThrough) {
        this(segmentBytes, logId, epoch, firstSequence, offset, writtenThrough, false);
    }

    /** Returns the header of the same segment, compressed. */
    SegmentHeader asCompressed() {
        return new SegmentHeader(segmentBytes, logId, epoch, firstSequence, offset, writtenThrough, true);
    }

    /** Returns the number that salts the checks of this segment's records. */
    public long salt() {
        long mixed = logId.getMostSignificantBits() ^ Long.rotateLeft(logId.getLeastSignificantBits(), 17);
        return (mixed ^ epoch) * 0xBF58476D1CE4E5B9L;
    }

    /** Returns both copies, {@link #BYTES} in all. */
    public ByteBuffer encode() {
        ByteBuffer copy = ByteBuffer.allocate(COPY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        copy.putLong(0, MAGIC).putInt(VERSION_AT, compressed ? COMPRESSED_VERSION : VERSION);
        copy.putInt(SEGMENT_BYTES_AT, segmentBytes);
        copy.putLong(LOG_ID_AT, logId.getMostSignificantBits());
        copy.putLong(LOG_ID_AT + Long.BYTES, logId.getLeastSignificantBits());
        copy.putLong(EPOCH_AT, epoch).putLong(FIRST_SEQUENCE_AT, firstSequence).putLong(OFFSET_AT, offset);
        copy.putInt(FLAGS_AT, (writtenThrough ? WRITTEN_THROUGH : 0) | (compressed ? COMPRESSED : 0));
        copy.putInt(CRC_AT, crc(copy));
        return ByteBuffer.allocate(BYTES).put(0, copy, 0, COPY_BYTES).put(COPY_BYTES, copy, 0, COPY_BYTES);
    }

    /**
     * Reads the header that began a segment in a file named for {@code epoch}.
     *
     * <p>A header may be torn while it is written. Then at least one copy is still what it was before: zeros, or of an earlier use.
     * Nothing but zeros is behind one that was zeros before, if every write went through to the device.
     *
     * @param through whether every write went through
     * @return null where no header of this epoch or a later one is there, so that the file is a spare
     * @throws CorruptLogException if neither copy is a header of this version; the complaint is about the first
     */
    public static @Nullable SegmentHeader read(FileIo.DataFile file, Path path, long epoch, boolean through)
            throws IOException {
        ByteBuffer page = ByteBuffer.allocate(BYTES + LOOKED_AT);
        int bytes = file.read(page, 0);
        if (bytes < BYTES) {
            throw new CorruptLogException(path, bytes, "segment header length", BYTES, bytes);
        }
        CorruptLogException damage = null;
        boolean spare = false;
        boolean mayBeZeros = !through || isUnused(page);
        for (int at = 0; at < BYTES; at += COPY_BYTES) {
            try {
                SegmentHeader header = mayBeZeros && isZeros(page, at, USED) ? null : decode(page, at, path);
                if (header != null && header.epoch >= epoch) {
                    return header;
                }
                spare = true;
            } catch (CorruptLogException e) {
                damage = damage == null ? e : damage;
            }
        }
        if (damage != null && !spare) {
            throw damage;
        }
        return null;
    }

    private static SegmentHeader decode(ByteBuffer page, int at, Path path) throws CorruptLogException {
        ByteBuffer copy = page.slice(at, COPY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        expect(path, at, "segment magic", Long.toHexString(MAGIC), Long.toHexString(copy.getLong(0)));
        int version = copy.getInt(VERSION_AT);
        if (version != OLDEST_VERSION && version != COMPRESSED_VERSION) {
            expect(path, at + VERSION_AT, "segment version", VERSION, version);
        }
        expect(path, at + CRC_AT, "segment header CRC", crc(copy), copy.getInt(CRC_AT));
        return new SegmentHeader(
                copy.getInt(SEGMENT_BYTES_AT),
                new UUID(copy.getLong(LOG_ID_AT), copy.getLong(LOG_ID_AT + Long.BYTES)),
                copy.getLong(EPOCH_AT),
                copy.getLong(FIRST_SEQUENCE_AT),
                copy.getLong(OFFSET_AT),
                (copy.getInt(FLAGS_AT) & WRITTEN_THROUGH) != 0,
                version == COMPRESSED_VERSION && (copy.getInt(FLAGS_AT) & COMPRESSED) != 0);
    }

    /** Returns the header whose first {@link #USED} bytes stand in {@code source}. */
    static SegmentHeader decode(ByteBuffer source, Path path) throws CorruptLogException {
        return decode(ByteBuffer.allocate(COPY_BYTES).put(0, source, 0, USED), 0, path);
    }

    private static boolean isUnused(ByteBuffer page) {
        if (isZerosButForAByte(page)) {
            return true; // damage to a spare, of which nothing is lost
        }
        long magic = Long.reverseBytes(page.getLong(0));
        boolean isNoOthers = (magic & ~MAGIC) == 0; // it is zeros, ours, or the beginning of ours
        return isNoOthers && isZeros(page, BYTES, LOOKED_AT);
    }

    private static boolean isZerosButForAByte(ByteBuffer page) {
        int others = 0;
        for (int at = 0; at < page.limit() && others <= 1; at++) {
            others += page.get(at) == 0 ? 0 : 1;
        }
        return others <= 1;
    }

    private static boolean isZeros(ByteBuffer page, int at, int bytes) {
        return page.slice(at, bytes).equals(ByteBuffer.allocate(bytes));
    }

    private static void expect(Path path, int offset, String field, Object expected, Object got)
            throws CorruptLogException {
        if (!expected.equals(got)) {
            throw new CorruptLogException(path, offset, field, expected, got);
        }
    }

    /** Over the whole copy but the field itself, so that no byte of it can change unseen. */
    private static int crc(ByteBuffer copy) {
        CRC32C crc = new CRC32C();
        crc.update(copy.slice(0, CRC_AT));
        crc.update(copy.slice(USED, COPY_BYTES - USED));
        return (int) crc.getValue();
    }
}
