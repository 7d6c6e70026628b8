package dev.touchstone.queue.log;

/** A compression of blocks of at most 64 KiB. Implementations are thread-safe and do not use the log. */
public interface BlockCodec {

    /** Returns the positive number by which files name the codec. */
    int id();

    /** Returns the compressed bytes of {@code block} in an array of their own; of any length, since a block that does not shrink is stored as it is. */
    byte[] compress(byte[] block);

    /**
     * Returns the block of so many bytes that was compressed.
     *
     * @throws RuntimeException if {@code compressed} is not a block of this codec
     */
    byte[] decompress(byte[] compressed, int bytes);
}
