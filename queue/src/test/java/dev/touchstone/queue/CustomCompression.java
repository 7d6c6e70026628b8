package dev.touchstone.queue;

/** Deflate under an id of its own, as an example of a {@link Compression} that is not the library's. */
final class CustomCompression implements Compression {
    @Override
    public int id() {
        return MIN_CUSTOM_ID;
    }

    @Override
    public byte[] compress(byte[] block) {
        return Compression.deflate().compress(block);
    }

    @Override
    public byte[] decompress(byte[] compressed, int bytes) {
        return Compression.deflate().decompress(compressed, bytes);
    }
}
