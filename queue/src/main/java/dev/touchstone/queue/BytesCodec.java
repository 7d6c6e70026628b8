package dev.touchstone.queue;

/** The codec of elements that are their own payloads. */
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
