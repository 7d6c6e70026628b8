package dev.touchstone.queue;

import java.nio.charset.StandardCharsets;

/**
 * Turns elements into payload bytes and back. Implementations must be thread-safe; neither method is given or may return null.
 *
 * @param <T> element type
 */
public interface Codec<T> {

    /** Returns the payload of {@code element}; the queue reads the array and never keeps or changes it. */
    byte[] encode(T element);

    /** Returns the element whose payload is {@code payload}; the array belongs to the callee. */
    T decode(byte[] payload);

    /** Payloads as they are: neither direction copies. */
    static Codec<byte[]> bytes() {
        return BytesCodec.INSTANCE;
    }

    /** Strings as UTF-8. */
    static Codec<String> utf8() {
        return new Codec<>() {
            @Override
            public byte[] encode(String element) {
                return element.getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public String decode(byte[] payload) {
                return new String(payload, StandardCharsets.UTF_8);
            }
        };
    }
}
