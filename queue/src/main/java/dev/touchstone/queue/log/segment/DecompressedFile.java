package dev.touchstone.queue.log.segment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.FileIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A compressed segment's file that reads as the file did before it was compressed, behind the header; a damaged block reads as zeros. Thread-safe. */
final class DecompressedFile implements FileIo.DataFile {
    /*
     * Who calls:  a reader; close() may come from the thread that takes the segment back.
     * Invariants: block has what blockIndex says; at most one block is kept.
     * Failure:    a read that fails keeps the block from before. Zeros are no record, so a damaged block costs the records that it touches.
     */
    private static final byte[] NONE = {};

    private final FileIo.DataFile file;
    private final BlockTable table;

    @GuardedBy("this")
    private byte[] block = NONE;

    @GuardedBy("this")
    private int blockIndex = -1;

    /** Takes over {@code file}. */
    DecompressedFile(FileIo.DataFile file, BlockTable table) {
        this.file = file;
        this.table = table;
    }

    @Override
    public synchronized int read(ByteBuffer target, long position) throws IOException {
        if (position < SegmentHeader.BYTES) {
            throw new IllegalArgumentException("position=" + position + " is in the segment's header");
        }
        int start = target.position();
        long at = position;
        while (target.hasRemaining() && at < table.rawEnd()) {
            int index = (int) ((at - SegmentHeader.BYTES) / BlockTable.BLOCK_BYTES);
            if (index != blockIndex) {
                block = load(index);
                blockIndex = index;
            }
            int from = (int) ((at - SegmentHeader.BYTES) % BlockTable.BLOCK_BYTES);
            int count = Math.min(target.remaining(), block.length - from);
            target.put(block, from, count);
            at += count;
        }
        return target.position() - start;
    }

    private byte[] load(int index) throws IOException {
        byte[] raw = decompress(index);
        return raw == null ? new byte[table.rawBytes(index)] : raw;
    }

    /** Returns a block as it was before it was compressed; null where it is damaged. */
    private byte @Nullable [] decompress(int index) throws IOException {
        byte[] stored = new byte[table.storedBytes(index)];
        int bytes = table.rawBytes(index);
        if (file.read(ByteBuffer.wrap(stored), table.start(index)) < stored.length || !table.isWhole(index, stored)) {
            return null;
        }
        if (stored.length == bytes) {
            return stored;
        }
        try {
            byte[] raw = table.codec().decompress(stored, bytes);
            return raw.length == bytes ? raw : null;
        } catch (RuntimeException malformed) {
            return null; // of another codec with the same id
        }
    }

    /** Returns the damage of the first block that holds one of the bytes from {@code start} to before {@code end}; null where all are whole. */
    @Nullable
    CorruptLogException damagedBlock(Path path, long start, long end) throws IOException {
        long last = Math.min(end, table.rawEnd()) - SegmentHeader.BYTES;
        for (long at = start - SegmentHeader.BYTES; at < last; at += BlockTable.BLOCK_BYTES) {
            at -= at % BlockTable.BLOCK_BYTES;
            int index = (int) (at / BlockTable.BLOCK_BYTES);
            if (decompress(index) == null) {
                return new CorruptLogException(path, table.start(index), "compressed block", "matching CRC", "another");
            }
        }
        return null;
    }

    @Override
    public long size() {
        return table.rawEnd();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    @Override
    public void force() throws IOException {
        file.force();
    }

    @Override
    public ByteBuffer mapForWriting(int bytes) {
        throw new UnsupportedOperationException("a compressed segment is never written");
    }

    @Override
    public void write(ByteBuffer source, long position) {
        throw new UnsupportedOperationException("a compressed segment is never written");
    }

    @Override
    public void truncate(long bytes) {
        throw new UnsupportedOperationException("a compressed segment is never written");
    }
}
