package dev.touchstone.queue.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The first 4 KiB of a segment, little-endian; records begin behind it.
 *
 * <pre>
 *  0        8         12        16              32      40               48      52       56
 *  +--------+---------+---------+---------------+-------+----------------+-------+--------+---- - -+
 *  | magic  | version | bytes   | log id (UUID) | epoch | first sequence | flags | CRC-32C| zeros  |
 *  +--------+---------+---------+---------------+-------+----------------+-------+--------+---- - -+
 * </pre>
 *
 * @param segmentBytes length that the segment may grow to, header included
 * @param logId the same in all segments of a folder
 * @param epoch grows with every segment that is begun in the folder; never used twice
 * @param firstSequence of the first record that the segment may hold
 * @param writtenThrough whether every write went to the device before its records were acknowledged (flag 1)
 */
record SegmentHeader(int segmentBytes, UUID logId, long epoch, long firstSequence, boolean writtenThrough) {
    static final int BYTES = 4096;

    private static final long MAGIC = 0x3147_4553_5351_5444L; // "DTQSSEG1"
    private static final int VERSION = 1;
    private static final int VERSION_AT = 8;
    private static final int SEGMENT_BYTES_AT = 12;
    private static final int LOG_ID_AT = 16;
    private static final int EPOCH_AT = 32;
    private static final int FIRST_SEQUENCE_AT = 40;
    private static final int FLAGS_AT = 48;
    private static final int CRC_AT = 52;
    private static final int USED = 56;
    private static final int WRITTEN_THROUGH = 1;

    /** What makes the checks of this segment's records its own. */
    long salt() {
        long mixed = logId.getMostSignificantBits() ^ Long.rotateLeft(logId.getLeastSignificantBits(), 17);
        return (mixed ^ epoch) * 0xBF58476D1CE4E5B9L;
    }

    ByteBuffer encode() {
        ByteBuffer header = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(0, MAGIC).putInt(VERSION_AT, VERSION).putInt(SEGMENT_BYTES_AT, segmentBytes);
        header.putLong(LOG_ID_AT, logId.getMostSignificantBits());
        header.putLong(LOG_ID_AT + Long.BYTES, logId.getLeastSignificantBits());
        header.putLong(EPOCH_AT, epoch).putLong(FIRST_SEQUENCE_AT, firstSequence);
        header.putInt(FLAGS_AT, writtenThrough ? WRITTEN_THROUGH : 0);
        return header.putInt(CRC_AT, crc(header));
    }

    /** @throws CorruptLogException if the bytes are not a header of this version */
    static SegmentHeader read(FileIo.DataFile file, Path path) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        int bytes = file.read(header, 0);
        if (bytes < BYTES) {
            throw new CorruptLogException(path, bytes, "segment header length", BYTES, bytes);
        }
        expect(path, 0, "segment magic", Long.toHexString(MAGIC), Long.toHexString(header.getLong(0)));
        expect(path, VERSION_AT, "segment version", VERSION, header.getInt(VERSION_AT));
        expect(path, CRC_AT, "segment header CRC", crc(header), header.getInt(CRC_AT));
        return new SegmentHeader(
                header.getInt(SEGMENT_BYTES_AT),
                new UUID(header.getLong(LOG_ID_AT), header.getLong(LOG_ID_AT + Long.BYTES)),
                header.getLong(EPOCH_AT),
                header.getLong(FIRST_SEQUENCE_AT),
                (header.getInt(FLAGS_AT) & WRITTEN_THROUGH) != 0);
    }

    /** True where no header was ever written, or none reached the device. */
    static boolean isBlank(FileIo.DataFile file) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(BYTES);
        file.read(header, 0);
        for (byte b : header.array()) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    private static void expect(Path path, int offset, String field, Object expected, Object got)
            throws CorruptLogException {
        if (!expected.equals(got)) {
            throw new CorruptLogException(path, offset, field, expected, got);
        }
    }

    /** Over the whole header page but the field itself, so that no byte of it can change unseen. */
    private static int crc(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.slice(0, CRC_AT));
        crc.update(header.slice(USED, BYTES - USED));
        return (int) crc.getValue();
    }
}
