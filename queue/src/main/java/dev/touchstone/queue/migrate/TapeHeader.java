package dev.touchstone.queue.migrate;

import java.io.IOException;

/**
 * The header of a tape file, big-endian; the ring of elements follows.
 *
 * <pre>
 *          0              4             12      16      24      32
 *          +--------------+-------------+-------+-------+-------+
 * current  | 0x80000001   | file bytes  | count | first | last  |
 *          +--------------+-------------+-------+-------+-------+
 *          0              4       8       12      16
 *          +--------------+-------+-------+-------+
 * legacy   | file bytes   | count | first | last  |
 *          +--------------+-------+-------+-------+
 * </pre>
 *
 * @param headerBytes offset at which the ring begins
 * @param fileBytes offset at which the ring ends; the file may be longer after an interrupted expansion
 * @param count number of elements
 * @param first offset of the oldest element, 0 if there is none
 * @param last offset of the newest element, 0 if there is none
 */
record TapeHeader(int headerBytes, long fileBytes, int count, long first, long last) {
    private static final int VERSIONED_BYTES = 32;
    private static final int LEGACY_BYTES = 16;
    private static final int VERSIONED_FLAG = 0x8000_0000;
    private static final int VERSION = 1;
    private static final long MAX_FILE_BYTES = 1L << 48; // keeps sums of positions far from an overflow

    /**
     * Reads the header of a file.
     *
     * @throws CorruptSourceException if the file does not begin with a header, or the header has positions outside of its ring
     */
    static TapeHeader read(SourceFile file) throws IOException {
        if (file.size() < LEGACY_BYTES) {
            throw file.corrupt(file.size(), "tape header length", "at least " + LEGACY_BYTES, file.size());
        }
        int begin = file.intAt(0);
        TapeHeader header = (begin & VERSIONED_FLAG) == 0 ? legacy(file) : versioned(file, begin & ~VERSIONED_FLAG);
        if (header.fileBytes <= header.headerBytes || header.fileBytes > MAX_FILE_BYTES) {
            String expected = (header.headerBytes + 1) + ".." + MAX_FILE_BYTES;
            throw file.corrupt(0, "tape file length in its header", expected, header.fileBytes);
        }
        header.checkPositions(file);
        return header;
    }

    long ringBytes() {
        return fileBytes - headerBytes;
    }

    private static TapeHeader legacy(SourceFile file) throws IOException {
        return new TapeHeader(LEGACY_BYTES, file.intAt(0), file.intAt(4), file.intAt(8), file.intAt(12));
    }

    private static TapeHeader versioned(SourceFile file, int version) throws IOException {
        if (version != VERSION) {
            throw file.corrupt(0, "tape version", VERSION, version);
        }
        if (file.size() < VERSIONED_BYTES) {
            throw file.corrupt(file.size(), "tape header length", VERSIONED_BYTES, file.size());
        }
        return new TapeHeader(VERSIONED_BYTES, file.longAt(4), file.intAt(12), file.longAt(16), file.longAt(24));
    }

    private void checkPositions(SourceFile file) throws CorruptSourceException {
        int countAt = headerBytes == VERSIONED_BYTES ? 12 : 4;
        int firstAt = headerBytes == VERSIONED_BYTES ? 16 : 8;
        if (count < 0) {
            throw file.corrupt(countAt, "tape element count", "0 or more", count);
        }
        String expected = count == 0 ? "0, being empty" : headerBytes + ".." + (fileBytes - 1);
        for (long position : new long[] {first, last}) {
            boolean inRing = position >= headerBytes && position < fileBytes;
            if (count == 0 ? position != 0 : !inRing) {
                throw file.corrupt(firstAt, "tape first or last position", expected, position);
            }
        }
    }
}
