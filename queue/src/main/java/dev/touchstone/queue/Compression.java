package dev.touchstone.queue;

import java.io.ByteArrayOutputStream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * A compression of a queue's log files, block by block. Implementations must be thread-safe, must not use the queue, and must decompress
 * what any earlier version of them has compressed. No method is given null or may return it.
 */
public interface Compression {
    /** Lowest {@link #id} that implementations outside the library may have. */
    int MIN_CUSTOM_ID = 64;

    /**
     * Returns the number by which files name the compression: {@link #MIN_CUSTOM_ID} or more, and never changed. 1 is deflate, 2 is reserved for
     * LZ4's block format.
     */
    int id();

    /**
     * Returns {@code block} compressed.
     *
     * @param block from 1 to 65,536 bytes, which are not to be changed
     * @return an array that nobody changes afterwards, of any length; a block that does not become shorter is stored as it is
     */
    byte[] compress(byte[] block);

    /**
     * Returns the block that {@link #compress} was given.
     *
     * @param compressed what {@link #compress} returned, which is not to be changed
     * @param bytes length of the block
     * @return an array that the implementation does not keep
     * @throws RuntimeException if {@code compressed} is malformed; the queue then treats the block as damaged
     */
    byte[] decompress(byte[] compressed, int bytes);

    /** Returns a compression by the JDK's deflate at its fastest level, which needs no dependency and which every queue can read. */
    static Compression deflate() {
        return deflate(Deflater.BEST_SPEED);
    }

    /**
     * Returns a compression by the JDK's deflate, which needs no dependency and which every queue can read.
     *
     * @param level from 1, the fastest, to 9, the shortest
     * @throws IllegalArgumentException if the level is not between these
     */
    static Compression deflate(int level) {
        if (level < Deflater.BEST_SPEED || level > Deflater.BEST_COMPRESSION) {
            throw new IllegalArgumentException("deflate level=" + level + " is not between " + Deflater.BEST_SPEED
                    + " and " + Deflater.BEST_COMPRESSION);
        }
        return new Compression() {
            @Override
            public int id() {
                return 1;
            }

            @Override
            public byte[] compress(byte[] block) {
                Deflater deflater = new Deflater(level, true);
                try {
                    deflater.setInput(block);
                    deflater.finish();
                    byte[] chunk = new byte[block.length];
                    ByteArrayOutputStream out = new ByteArrayOutputStream(block.length / 2);
                    while (!deflater.finished()) {
                        out.write(chunk, 0, deflater.deflate(chunk));
                    }
                    return out.toByteArray();
                } finally {
                    deflater.end(); // native memory that does not wait for a collection
                }
            }

            @Override
            public byte[] decompress(byte[] compressed, int bytes) {
                Inflater inflater = new Inflater(true);
                try {
                    inflater.setInput(compressed);
                    byte[] block = new byte[bytes];
                    int count = inflater.inflate(block);
                    if (count != bytes) {
                        throw new IllegalArgumentException("deflated bytes: expected=" + bytes + " got=" + count);
                    }
                    return block;
                } catch (DataFormatException e) {
                    throw new IllegalArgumentException("deflated bytes are malformed: expected=" + bytes, e);
                } finally {
                    inflater.end();
                }
            }
        };
    }
}
