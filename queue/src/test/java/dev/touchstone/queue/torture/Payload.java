package dev.touchstone.queue.torture;

import dev.touchstone.queue.Codec;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Encoded element with the equality that {@code remove(Object)} needs. */
final class Payload {
    static final Codec<Payload> CODEC = new Codec<>() {
        @Override
        public byte[] encode(Payload payload) {
            return payload.bytes;
        }

        @Override
        public Payload decode(byte[] bytes) {
            return new Payload(bytes);
        }
    };

    private final byte[] bytes;

    Payload(byte[] bytes) {
        this.bytes = bytes;
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Payload that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
