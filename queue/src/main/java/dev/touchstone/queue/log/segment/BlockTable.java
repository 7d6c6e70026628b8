package dev.touchstone.queue.log.segment;

import dev.touchstone.queue.log.BlockCodec;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.LogOptions;
import dev.touchstone.queue.log.MissingCodecException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The places of the blocks in a compressed segment. Immutable.
 *
 * <p>Such a file is the segment's header, the table, the blocks without gaps, and the table again. Each block stands for 64 KiB of what followed
 * the header before, the last one for the rest; a block as long as what it stands for is stored as it was. The table, little-endian:
 *
 * <pre>
 *  0        8               72      76        80                                    80 + 8n   84 + 8n
 *  +--------+---------------+-------+---------+-------------------------------------+---------+-------------+
 *  | magic  | header's copy | codec | raw end | n times: length, CRC-32C of a block | CRC-32C | table bytes |
 *  +--------+---------------+-------+---------+-------------------------------------+---------+-------------+
 * </pre>
 *
 * The raw end is the length of the file before, header included; it gives n.
 */
public final class BlockTable {
    /** Raw bytes of each block but the last. */
    static final int BLOCK_BYTES = 64 << 10;

    private static final long MAGIC = 0x3142_4C54_5351_5444L; // "DTQSTLB1"
    private static final int HEADER_AT = 8;
    private static final int CODEC_AT = HEADER_AT + SegmentHeader.USED;
    private static final int RAW_END_AT = CODEC_AT + Integer.BYTES;
    private static final int BLOCKS_AT = RAW_END_AT + Integer.BYTES;
    private static final int ENTRY_BYTES = 2 * Integer.BYTES;
    private static final int FOOTER_BYTES = 2 * Integer.BYTES;

    private final BlockCodec codec;
    private final int rawEnd;
    private final int[] starts; // of each block in the file, and the end of the last
    private final int[] crcs;

    /**
     * Describes blocks.
     *
     * @param rawEnd length of the segment's file before, header included; longer than the header
     * @param lengths of the blocks in the file
     * @param crcs of the blocks as they stand in the file
     */
    BlockTable(BlockCodec codec, int rawEnd, int[] lengths, int[] crcs) {
        this.codec = codec;
        this.rawEnd = rawEnd;
        this.crcs = crcs.clone();
        this.starts = new int[lengths.length + 1];
        starts[0] = SegmentHeader.BYTES + bytes(rawEnd);
        for (int i = 0; i < lengths.length; i++) {
            starts[i + 1] = starts[i] + lengths[i];
        }
    }

    /** Returns the number of blocks up to a raw end. */
    static int count(int rawEnd) {
        return (int) (((long) rawEnd - SegmentHeader.BYTES + BLOCK_BYTES - 1) / BLOCK_BYTES);
    }

    /** Returns the length of the table for a raw end. */
    static int bytes(int rawEnd) {
        return BLOCKS_AT + count(rawEnd) * ENTRY_BYTES + FOOTER_BYTES;
    }

    BlockCodec codec() {
        return codec;
    }

    /** Returns the length of the file before it was compressed, header included. */
    int rawEnd() {
        return rawEnd;
    }

    /** Returns the length of the file. */
    int fileBytes() {
        return starts[crcs.length] + bytes(rawEnd);
    }

    /** Returns the length of a block before it was compressed. */
    int rawBytes(int block) {
        return Math.min(BLOCK_BYTES, rawEnd - SegmentHeader.BYTES - block * BLOCK_BYTES);
    }

    /** Returns the length of a block in the file. */
    int storedBytes(int block) {
        return starts[block + 1] - starts[block];
    }

    /** Returns the place of a block in the file. */
    int start(int block) {
        return starts[block];
    }

    /** Returns whether these are the bytes of a block as they were written to the file. */
    boolean isWhole(int block, byte[] stored) {
        return crc(ByteBuffer.wrap(stored)) == crcs[block];
    }

    static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /** Returns the table of a segment whose header, compressed, is given. */
    ByteBuffer encode(SegmentHeader header) {
        int bytes = bytes(rawEnd);
        ByteBuffer table = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        table.putLong(0, MAGIC).put(HEADER_AT, header.encode(), 0, SegmentHeader.USED);
        table.putInt(CODEC_AT, codec.id()).putInt(RAW_END_AT, rawEnd);
        for (int i = 0; i < crcs.length; i++) {
            int at = BLOCKS_AT + i * ENTRY_BYTES;
            table.putInt(at, storedBytes(i)).putInt(at + Integer.BYTES, crcs[i]);
        }
        int crcAt = bytes - FOOTER_BYTES;
        return table.putInt(crcAt, crc(table.slice(0, crcAt))).putInt(crcAt + Integer.BYTES, bytes);
    }

    /**
     * Reads the table of a file.
     *
     * @return null where the segment is not compressed, or was cut off behind its header
     * @throws CorruptLogException if neither copy is whole
     * @throws MissingCodecException if no codec has the file's id
     */
    public static @Nullable BlockTable read(
            FileIo.DataFile file, Path path, SegmentHeader header, LogOptions.Codecs codecs) throws IOException {
        if (!header.compressed() || file.size() <= SegmentHeader.BYTES) {
            return null;
        }
        ByteBuffer table = find(file);
        if (table == null && file.size() <= SegmentHeader.BYTES) {
            return null; // cut off just now
        }
        if (table == null) {
            throw new CorruptLogException(path, SegmentHeader.BYTES, "block table", "a whole copy", "none");
        }
        int id = table.getInt(CODEC_AT);
        int rawEnd = table.getInt(RAW_END_AT);
        for (BlockCodec codec : codecs.readers()) {
            if (codec.id() == id) {
                int[] lengths = new int[count(rawEnd)];
                int[] crcs = new int[lengths.length];
                for (int i = 0; i < lengths.length; i++) {
                    lengths[i] = table.getInt(BLOCKS_AT + i * ENTRY_BYTES);
                    crcs[i] = table.getInt(BLOCKS_AT + i * ENTRY_BYTES + Integer.BYTES);
                }
                return new BlockTable(codec, rawEnd, lengths, crcs);
            }
        }
        throw new MissingCodecException(path, id);
    }

    /**
     * Reads the table of a file that may have been compressed since its header was read.
     *
     * @param header header from before, which stands in for a damaged one
     * @return null where the file is not compressed, or was cut off behind its header
     * @throws CorruptLogException if it is compressed, and neither copy is whole
     * @throws MissingCodecException if no codec has the file's id
     */
    static @Nullable BlockTable find(FileIo.DataFile file, Path path, SegmentHeader header, LogOptions.Codecs codecs)
            throws IOException {
        SegmentHeader now;
        try {
            now = SegmentHeader.read(file, path, header.epoch(), false);
        } catch (CorruptLogException damaged) {
            now = header;
        }
        return now == null ? null : read(file, path, now, codecs);
    }

    /** Returns the segment's header as the tables of a compressed file have it; null where none is whole. */
    static @Nullable SegmentHeader header(FileIo.DataFile file, Path path) throws IOException {
        ByteBuffer table = find(file);
        return table == null ? null : SegmentHeader.decode(table.slice(HEADER_AT, SegmentHeader.USED), path);
    }

    /** Returns a copy of the table that is whole, or null. */
    private static @Nullable ByteBuffer find(FileIo.DataFile file) throws IOException {
        ByteBuffer first = find(file, SegmentHeader.BYTES);
        if (first != null) {
            return first;
        }
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        long end = file.size();
        int count = file.read(bytes, Math.max(0, end - Integer.BYTES));
        return count < Integer.BYTES ? null : find(file, end - bytes.getInt(0));
    }

    /** Returns the table at a place; null where none is whole there. Allocates no more than the file has. */
    private static @Nullable ByteBuffer find(FileIo.DataFile file, long at) throws IOException {
        ByteBuffer start = ByteBuffer.allocate(BLOCKS_AT).order(ByteOrder.LITTLE_ENDIAN);
        if (at < SegmentHeader.BYTES || file.read(start, at) < BLOCKS_AT || start.getLong(0) != MAGIC) {
            return null;
        }
        int rawEnd = start.getInt(RAW_END_AT);
        if (rawEnd <= SegmentHeader.BYTES || bytes(rawEnd) > file.size() - at) {
            return null;
        }
        int bytes = bytes(rawEnd);
        ByteBuffer table = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int crcAt = bytes - FOOTER_BYTES;
        boolean whole = file.read(table, at) == bytes
                && table.getInt(crcAt) == crc(table.slice(0, crcAt))
                && hasBoundedBlocks(table, rawEnd);
        return whole ? table : null;
    }

    private static boolean hasBoundedBlocks(ByteBuffer table, int rawEnd) {
        long end = SegmentHeader.BYTES + 2L * bytes(rawEnd);
        for (int i = 0; i < count(rawEnd); i++) {
            int length = table.getInt(BLOCKS_AT + i * ENTRY_BYTES);
            if (length <= 0 || length > BLOCK_BYTES) {
                return false;
            }
            end += length;
        }
        return end <= Integer.MAX_VALUE;
    }
}
