package dev.touchstone.queue;

/** The identity. */
enum BytesCodec implements Codec<byte[]> {
    INSTANCE;

    @Override
    public byte[] encode(byte[] element) {
        return element;
    }

    @Override
    public byte[] decode(byte[] payload) {
        return payload;
    }
}
