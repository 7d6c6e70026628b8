package dev.touchstone.queue;

import java.util.zip.Deflater;

/**
 * A compression of a queue's log files, block by block. Implementations must be thread-safe, must not use the queue, and must decompress
 * what any earlier version of them has compressed. No method is given null or may return it.
 */
public interface Compression {
    /** Lowest {@link #id} that implementations outside the library may have. */
    int MIN_CUSTOM_ID = 64;

    /**
     * Returns the number by which files name the compression. 1 is deflate, 2 is LZ4's block format.
     *
     * @return {@link #MIN_CUSTOM_ID} or more, always the same
     */
    int id();

    /**
     * Compresses a block. Called on a thread of the queue's own, one block at a time, which neither the queue nor its {@code close} waits for.
     * If it throws anything, the log file stays as it is, and the queue tries the next one.
     *
     * @param block from 1 to 65,536 bytes, which the implementation must not change
     * @return an array that nobody changes afterwards, of any length; a block that does not become shorter is stored as it is
     */
    byte[] compress(byte[] block);

    /**
     * Decompresses a block. Called while the cursor that reads is locked, so it must neither block nor use the queue: until it returns, other
     * calls of that cursor wait, and so do {@code stats}, {@code flush} and {@code close}.
     *
     * @param compressed bytes that {@link #compress} returned, which the implementation must not change
     * @param bytes length of the block that {@link #compress} was given, from 1 to 65,536
     * @return that block, in an array that the implementation does not keep
     * @throws RuntimeException if {@code compressed} is malformed; the queue then treats the block as damaged
     */
    byte[] decompress(byte[] compressed, int bytes);

    /**
     * Returns a compression by the JDK's deflate at its fastest level, which needs no dependency and which every queue can read.
     *
     * @return a compression with the id 1
     */
    static Compression deflate() {
        return deflate(Deflater.BEST_SPEED);
    }

    /**
     * Returns a compression by the JDK's deflate, which needs no dependency and which every queue can read.
     *
     * @param level from 1, the fastest, to 9, the shortest
     * @return a compression with the id 1
     * @throws IllegalArgumentException if the level is not between these
     */
    static Compression deflate(int level) {
        if (level < Deflater.BEST_SPEED || level > Deflater.BEST_COMPRESSION) {
            throw new IllegalArgumentException("deflate level=" + level + " is not between " + Deflater.BEST_SPEED
                    + " and " + Deflater.BEST_COMPRESSION);
        }
        return DiskQueueBuilder.deflate(level);
    }

    /**
     * Returns a compression to LZ4's block format: several times as fast as {@link #deflate()}, and less short. Needs the optional
     * dependency {@code at.yawk.lz4:lz4-java}, of which the Java code is used; a queue reads such files wherever that is present.
     *
     * @return a compression with the id 2
     * @throws IllegalStateException if lz4-java is neither on the class path nor among the modules
     */
    static Compression lz4() {
        return DiskQueueBuilder.lz4();
    }
}
