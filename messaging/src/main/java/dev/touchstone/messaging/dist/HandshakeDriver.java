package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.handshake.Handshake;
import dev.touchstone.messaging.handshake.HandshakeException;
import dev.touchstone.messaging.handshake.HandshakeResult;
import dev.touchstone.messaging.handshake.Step;
import dev.touchstone.messaging.identity.NodeName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The exchange of a handshake's packets over a carrier, within a time. Each packet has its length before it, in two bytes, or in four
 * over TLS.
 */
final class HandshakeDriver {
    private final Carrier carrier;
    private final Handshake handshake;
    private final Proof proof;
    private final long timeoutNanos;
    private final long deadlineNanos;

    /** A check that the handshake is wanted any longer, made before and after each wait. */
    interface Wanted {
        void check() throws IOException;
    }

    /** The means by which the handshake waits for its channel. */
    private record Waits(Selector selector, SelectionKey key, Wanted wanted) {}

    /** The receiver of a peer's name once the peer has proved that it knows the cookie. */
    interface Proof {
        void take(NodeName peer) throws IOException;
    }

    HandshakeDriver(Carrier carrier, Handshake handshake, long timeoutNanos) {
        this(carrier, handshake, timeoutNanos, peer -> {});
    }

    /**
     * Makes a driver, whose time begins to run.
     *
     * @param proof takes the peer once it has proved itself, before it is told that the handshake is done; may end the handshake
     */
    HandshakeDriver(Carrier carrier, Handshake handshake, long timeoutNanos, Proof proof) {
        this.carrier = carrier;
        this.handshake = handshake;
        this.proof = proof;
        this.timeoutNanos = timeoutNanos;
        this.deadlineNanos = System.nanoTime() + timeoutNanos;
    }

    /**
     * Shakes hands.
     *
     * @throws HandshakeException if the nodes do not get to know each other, in this time or at all
     */
    HandshakeResult run() throws IOException {
        try (Selector selector = Selector.open()) {
            return run(selector, () -> {});
        }
    }

    /**
     * Shakes hands, and waits with a selector that another thread may wake.
     *
     * @param wanted throws what ends the handshake
     */
    HandshakeResult run(Selector selector, Wanted wanted) throws IOException {
        SelectionKey key = carrier.channel().register(selector, 0);
        try {
            return run(new Waits(selector, key, wanted));
        } finally {
            key.cancel();
            selector.selectNow();
        }
    }

    private HandshakeResult run(Waits waits) throws IOException {
        send(waits, handshake.start());
        for (; ; ) {
            Step step;
            try {
                step = handshake.received(packet(waits));
            } catch (HandshakeException e) {
                send(waits, e.farewell());
                throw e;
            }
            HandshakeResult done = step.done();
            if (done != null) {
                proof.take(done.peer());
            }
            send(waits, step.toSend());
            if (done != null) {
                return done;
            }
        }
    }

    private byte[] packet(Waits waits) throws IOException {
        ByteBuffer length = ByteBuffer.allocate(carrier.handshakeLengthBytes());
        fill(waits, length);
        int bytes = length.capacity() == Short.BYTES ? Short.toUnsignedInt(length.getShort(0)) : length.getInt(0);
        if (bytes < 0 || bytes > Handshake.MAX_PACKET_BYTES) {
            throw new IOException("handshake packet too long: bytes=" + bytes + " max=" + Handshake.MAX_PACKET_BYTES
                    + " from=" + carrier.remote());
        }
        ByteBuffer packet = ByteBuffer.allocate(bytes);
        fill(waits, packet);
        return packet.array();
    }

    private void fill(Waits waits, ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            int bytes = carrier.read(target);
            if (bytes < 0) {
                throw handshake.closed();
            }
            if (bytes == 0) {
                await(waits, SelectionKey.OP_READ | (carrier.flushed() ? 0 : SelectionKey.OP_WRITE));
            }
        }
    }

    private void send(Waits waits, List<byte[]> packets) throws IOException {
        for (byte[] packet : packets) {
            int lengthBytes = carrier.handshakeLengthBytes();
            ByteBuffer framed = ByteBuffer.allocate(lengthBytes + packet.length);
            if (lengthBytes == Short.BYTES) {
                framed.putShort((short) packet.length);
            } else {
                framed.putInt(packet.length);
            }
            framed.put(packet).flip();
            while (framed.hasRemaining() || !carrier.flushed()) {
                if (carrier.write(framed) == 0) {
                    await(waits, carrier.awaits());
                }
            }
        }
    }

    private void await(Waits waits, int operation) throws IOException {
        long left = deadlineNanos - System.nanoTime();
        if (left <= 0) {
            throw new HandshakeException.TimedOut(handshake.peer(), Duration.ofNanos(timeoutNanos));
        }
        waits.wanted.check();
        waits.key.interestOps(operation);
        int unused = waits.selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
        waits.selector.selectedKeys().clear();
        waits.wanted.check();
        if (Thread.currentThread().isInterrupted()) {
            throw new IOException("interrupted during the handshake: with=" + carrier.remote());
        }
    }
}
