package dev.touchstone.queue.migrate;

import java.io.IOException;

/**
 * The layouts of popout's files, big-endian. A <i>block</i> is the unit that popout appends: a record of a synced queue, or a batch of
 * records of a batched queue. popout writes each block to a {@code .wal} file and later copies many of them, in their order, into one
 * {@code .compressed} file.
 *
 * <pre>
 *                 0        4
 *                 +--------+---------+
 * block, synced   | length | payload |                  length = bytes of the block - 4
 *                 +--------+---------+
 *                 +--------+--------+---------+- -
 * block, batched  | count  | length | payload | ...     a removed record's length is negative
 *                 +--------+--------+---------+- -
 *                 0        1        9
 *                 +--------+--------+---------+- -
 * .compressed     | marker | value  | block   | ...     entries up to the end mark, then zeros
 *                 +--------+--------+---------+- -
 * </pre>
 *
 * <p>Markers: {@value #RECORD}, a block of {@code value} bytes follows; {@value #JUMP}, the next entry is at file position {@code value},
 * written over the first entry's header by each removal; {@value #END}, nothing follows and {@code value} is 0.
 *
 * <p>A payload is what the queue's serializer wrote: see {@link PayloadLayout}.
 *
 * <p>No block is both synced and batched: a batch whose count is the block's length less 4 would need more bytes than the block has.
 */
final class PopoutFormat {
    static final int RECORD = 1;
    static final int JUMP = 2;
    static final int END = 4;
    static final int NOTHING_WRITTEN = 0;

    static final int ENTRY_HEADER_BYTES = Byte.BYTES + Long.BYTES;
    static final int LENGTH_BYTES = Integer.BYTES;
    static final int COUNT_BYTES = Integer.BYTES;

    static final String WAL_SUFFIX = ".wal";
    static final String COMPRESSED_SUFFIX = ".compressed";

    private PopoutFormat() {}

    /**
     * A part of a file that popout appended at once.
     *
     * @param offset offset in the file, in bytes
     * @param bytes length, in bytes
     */
    record Block(SourceFile file, long offset, long bytes) {

        /** Returns the offset behind the last byte. */
        long end() {
            return offset + bytes;
        }

        /** Returns whether the block is a record of a synced queue. */
        boolean isSynced() throws IOException {
            return bytes >= LENGTH_BYTES && file.intAt(offset) == bytes - LENGTH_BYTES;
        }

        /** Returns whether the block is a batch. */
        boolean isBatched() throws IOException {
            return bytes >= COUNT_BYTES && !isSynced() && ElementChain.isSound(elements(file.intAt(offset)));
        }

        /** Returns the records of the block, which is a batch. */
        ElementChain batch(DamageLog log) throws IOException {
            int count = bytes < COUNT_BYTES ? -1 : file.intAt(offset);
            if (count < 0) {
                log.damage(file.corrupt(offset, "batch count", "0 or more", count), "the batch lost");
                return ElementChain.open(new ElementChain.Range(file, end(), end(), 0, true), log);
            }
            return ElementChain.open(elements(count), log);
        }

        private ElementChain.Range elements(int count) {
            return new ElementChain.Range(file, offset + COUNT_BYTES, end(), count, true);
        }
    }

    /** Returns the length in bytes of the block at {@code offset}, or -1 if there is none that ends at {@code limit} or before. */
    static long blockBytes(SourceFile file, long offset, long limit, Format format) throws IOException {
        if (limit - offset < LENGTH_BYTES) {
            return -1;
        }
        int begin = file.intAt(offset);
        if (begin < 0) {
            return -1;
        }
        long at = offset + LENGTH_BYTES;
        if (format == Format.POPOUT_SYNCED) {
            return at + begin <= limit ? LENGTH_BYTES + (long) begin : -1;
        }
        for (int i = 0; i < begin; i++) {
            if (limit - at < LENGTH_BYTES) {
                return -1;
            }
            at += LENGTH_BYTES + Math.abs((long) file.intAt(at));
        }
        return at <= limit ? at - offset : -1;
    }
}
