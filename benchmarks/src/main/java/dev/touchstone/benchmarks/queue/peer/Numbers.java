package dev.touchstone.benchmarks.queue.peer;

import java.nio.ByteBuffer;

/** Record numbers as keys of stores that order keys by their bytes. */
final class Numbers {

    private Numbers() {}

    /** The key of a number that is not negative. */
    static byte[] key(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    /** Returns the number that {@link #key} was given. */
    static long of(byte[] key) {
        return ByteBuffer.wrap(key).getLong();
    }
}
