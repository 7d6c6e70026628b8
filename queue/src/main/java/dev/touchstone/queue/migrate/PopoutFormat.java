package dev.touchstone.queue.migrate;

import java.io.IOException;

/**
 * popout's layouts, big-endian. A <i>block</i> is what popout appends at once: a record of a synced queue or a batch of a batched one.
 * Each block begins as a {@code .wal} file of its own; many of those, in their order, are later copied into one {@code .compressed}
 * file.
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
 * .compressed     | marker | value  | block   | ...     entries up to the end mark, zeros behind it
 *                 +--------+--------+---------+- -
 * </pre>
 *
 * <p>Markers: {@value #RECORD} a block of {@code value} bytes follows; {@value #JUMP} go on at file position {@code value}, written over
 * the first entry's header by each removal; {@value #END} nothing follows, {@code value} is 0.
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

    /** A part of a file that popout appended at once. */
    record Block(SourceFile file, long offset, long bytes) {

        long end() {
            return offset + bytes;
        }

        boolean isSynced() throws IOException {
            return bytes >= LENGTH_BYTES && file.intAt(offset) == bytes - LENGTH_BYTES;
        }

        /** Whether it is a batch; {@code maxRecordBytes} is no part of the question. */
        boolean isBatched() throws IOException {
            if (bytes < COUNT_BYTES || isSynced()) {
                return false;
            }
            ElementChain.Rules rules = new ElementChain.Rules(true, Integer.MAX_VALUE);
            return ElementChain.isSound(new Elements(file), offset + COUNT_BYTES, end(), file.intAt(offset), rules);
        }

        /** The records of a batch. */
        ElementChain batch(int maxRecordBytes, DamageLog log) throws IOException {
            int count = bytes < COUNT_BYTES ? -1 : file.intAt(offset);
            ElementChain.Rules rules = new ElementChain.Rules(true, maxRecordBytes);
            if (count < 0) {
                log.damage(file.corrupt(offset, "batch count", "0 or more", count), "the batch lost");
                return ElementChain.open(new Elements(file), end(), end(), 0, rules, log);
            }
            return ElementChain.open(new Elements(file), offset + COUNT_BYTES, end(), count, rules, log);
        }
    }

    /** Bytes of the block that begins at a place and ends no later than at {@code limit}, or -1 where none does. */
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

    /** A file's bytes as elements in a line. */
    private record Elements(SourceFile file) implements ElementChain.Bytes {
        @Override
        public boolean has(long at, long bytes) {
            return at + bytes <= file.size();
        }

        @Override
        public int intAt(long at) throws IOException {
            return file.intAt(at);
        }

        @Override
        public void read(long at, byte[] target) throws IOException {
            file.read(at, target, 0, target.length);
        }

        @Override
        public CorruptSourceException corrupt(long at, String field, Object expected, Object got) {
            return file.corrupt(at, field, expected, got);
        }
    }
}
