package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.handshake.Handshake;
import dev.touchstone.messaging.handshake.HandshakeResult;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/** Connects to an address and shakes hands. */
public final class Dialer {
    private Dialer() {}

    /** A carrier, and who is at the other end of it. */
    public record Dialed(Carrier carrier, HandshakeResult result) {}

    /**
     * Connects and shakes hands.
     *
     * @throws IOException if nobody listens there, the handshake fails, or the time is up; nothing stays open then
     */
    public static Dialed dial(SocketAddress address, Carrier.Wrapping wrapping, Handshake handshake, long timeoutNanos)
            throws IOException {
        long start = System.nanoTime();
        SocketChannel channel = ChannelCarrier.open(address);
        try {
            connect(channel, address, timeoutNanos);
            Carrier carrier = wrapping.wrap(new ChannelCarrier(channel), true);
            long left = Math.max(1, timeoutNanos - (System.nanoTime() - start));
            return new Dialed(carrier, new HandshakeDriver(carrier, handshake, left).run());
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    private static void connect(SocketChannel channel, SocketAddress address, long timeoutNanos) throws IOException {
        channel.configureBlocking(false);
        if (channel.connect(address)) {
            return;
        }
        try (Selector selector = Selector.open()) {
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
            int unused = selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos)));
            if (!channel.finishConnect()) {
                throw new SocketTimeoutException("cannot connect in time: address=" + address);
            }
            key.cancel();
            selector.selectNow();
        }
    }
}
