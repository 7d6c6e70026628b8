package dev.touchstone.queue;

import java.nio.charset.StandardCharsets;

/**
 * A translation of elements into payload bytes and back. Implementations must be thread-safe: the queue calls them in the threads of its
 * callers, under no lock. Neither method is given null, and neither may return it.
 *
 * @param <T> element type
 */
public interface Codec<T> {

    /**
     * Encodes an element. The queue copies the array before the call that offers the element returns, and never keeps or changes it; what
     * this method throws is thrown to the caller that offers, and nothing is appended.
     *
     * @param element element to encode, never null
     * @return the payload, never null; may be empty
     */
    byte[] encode(T element);

    /**
     * Decodes an element. An exception of any kind, or null, makes the queue throw {@link UndecodableElementException} and hand the element
     * out again later; an {@link Error} is thrown to the consumer as it is.
     *
     * @param payload bytes that {@link #encode} made, never null; the array belongs to this method from now on
     * @return the element, never null
     */
    T decode(byte[] payload);

    /**
     * Returns the codec whose elements are their own payloads. Neither direction copies: each consumer is given an array of its own.
     *
     * @return the codec of byte arrays, always the same
     */
    static Codec<byte[]> bytes() {
        return Elements.BYTES;
    }

    /**
     * Returns a codec for strings as UTF-8. It never throws: an unpaired surrogate is stored as {@code ?}, and bytes that are not UTF-8 are
     * read as U+FFFD.
     *
     * @return a codec of strings
     */
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
