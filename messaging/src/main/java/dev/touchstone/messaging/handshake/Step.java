package dev.touchstone.messaging.handshake;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effect of one received packet.
 *
 * @param toSend packets to send now, in order, each without its length
 * @param done the outcome, once these are sent; null while the handshake goes on
 */
public record Step(List<byte[]> toSend, @Nullable HandshakeResult done) {
    static final Step NOTHING_YET = new Step(List.of(), null);

    static Step send(byte[]... packets) {
        return new Step(List.of(packets), null);
    }

    static Step done(HandshakeResult result, byte[]... packets) {
        return new Step(List.of(packets), result);
    }
}
