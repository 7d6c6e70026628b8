package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.dist.Carrier;
import dev.touchstone.messaging.dist.Dialer;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.handshake.Handshake;
import dev.touchstone.messaging.handshake.HandshakeOptions;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A peer that shakes hands as a node does, and then sends whatever frames a test makes, over a real socket. */
final class FloodingPeer implements AutoCloseable {
    private static final long PAUSE_NANOS = 20_000;
    private static final int PASS_THROUGH = 112;

    private final NodeName name;
    private final Carrier carrier;
    private final AtomicLong written = new AtomicLong();
    private volatile boolean stopped;

    FloodingPeer(String alive, Node node) throws IOException {
        name = NodeName.parse(alive + "@localhost");
        HandshakeOptions options = new HandshakeOptions(
                name, 1, LocalCapabilities.announced(true), Nodes.COOKIE, node.name(), new SecureRandom(), false);
        try (Dialer dialer = new Dialer()) {
            carrier = dialer.dial(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), node.port()),
                            node.name(),
                            Carrier.Wrapping.NONE,
                            Handshake.initiator(options),
                            Duration.ofSeconds(20).toNanos(),
                            () -> {})
                    .carrier();
        }
        Nodes.await("the peer is connected", () -> node.connected().contains(name));
    }

    NodeName name() {
        return name;
    }

    /** Returns the pid of a process of this peer. */
    Pid pid(int id) {
        return Pid.of(name.atom(), id, 0, 1);
    }

    /** Returns a frame of a control tuple and, where there is one, a message. */
    static byte[] frame(Tuple control, @Nullable Term message) {
        TermWriter out = new TermWriter(256);
        out.putInt(0);
        out.putByte(PASS_THROUGH);
        out.writeVersion();
        out.write(control);
        if (message != null) {
            out.writeVersion();
            out.write(message);
        }
        out.putIntAt(0, out.position() - Integer.BYTES);
        return Arrays.copyOf(out.array(), out.position());
    }

    /** Returns a frame that sends a message to a process. */
    static byte[] send(Pid to, Term message) {
        return frame(Tuple.of(Int.of(2), Atom.of(""), to), message);
    }

    /** Returns as many copies of a frame, one behind the other, as fill about 64 KiB. */
    static byte[] many(byte[] frame) {
        int copies = Math.max(1, (64 << 10) / frame.length);
        ByteBuffer all = ByteBuffer.allocate(copies * frame.length);
        for (int i = 0; i < copies; i++) {
            all.put(frame);
        }
        return all.array();
    }

    /** Writes all bytes; waits while the node does not read. Returns early once this peer is closed. */
    void write(byte[] bytes) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining() && !stopped) {
            int count = carrier.write(rest);
            if (count == 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            written.addAndGet(count);
        }
    }

    /** Starts a thread that writes the same bytes again and again until this peer is closed or cut. */
    Thread flood(byte[] bytes) {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (!stopped) {
                            write(bytes);
                        }
                    } catch (IOException cut) {
                        stopped = true;
                    }
                },
                "flood of " + name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Returns the number of bytes that the node's socket has taken. */
    long written() {
        return written.get();
    }

    /** Returns whether this peer was closed, or its flood was cut. */
    boolean isStopped() {
        return stopped;
    }

    @Override
    public void close() throws IOException {
        stopped = true;
        carrier.close();
    }
}
