package dev.touchstone.messaging.handshake;

import dev.touchstone.messaging.identity.NodeName;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One side of the handshake of version 6: packets in, packets and an outcome out. For one thread at a time.
 *
 * <p>Whoever carries the packets puts the two bytes of length before each, bounds the size of what comes in and the time it takes,
 * sends the {@linkplain HandshakeException#farewell() farewell} of a failure, and closes the connection then.
 *
 * @see <a href="https://www.erlang.org/doc/apps/erts/erl_dist_protocol.html">Distribution Protocol, "Distribution Handshake"</a>
 */
public final class Handshake {
    /** Bytes that no packet of an honest peer exceeds: longer ones need not be read. */
    public static final int MAX_PACKET_BYTES = 4096;

    private final Role role;
    private boolean ended;

    /** What the two sides have in common. */
    sealed interface Role permits Initiator, Acceptor {
        List<byte[]> start();

        Step received(PacketReader packet) throws HandshakeException;

        HandshakeException closed();

        @Nullable
        NodeName peer();
    }

    private Handshake(Role role) {
        this.role = role;
    }

    /** The side that has connected, which still wants the connection if the peer asks. */
    public static Handshake initiator(HandshakeOptions options) {
        return initiator(options, () -> true);
    }

    /**
     * The side that has connected.
     *
     * @param stillWanted whether an older connection that the peer holds to be up is lost, and this one wanted in its place
     */
    public static Handshake initiator(HandshakeOptions options, BooleanSupplier stillWanted) {
        return new Handshake(new Initiator(options, stillWanted));
    }

    /** The side that was connected to. */
    public static Handshake acceptor(HandshakeOptions options, AliveCheck check) {
        return new Handshake(new Acceptor(options, check));
    }

    /** The packets to send before any is received, each without its length. */
    public List<byte[]> start() {
        return role.start();
    }

    /**
     * Goes on with a packet of the peer's, without its length.
     *
     * @throws HandshakeException if the nodes do not get connected; whatever is received afterwards is malformed
     */
    public Step received(byte[] packet) throws HandshakeException {
        if (ended) {
            throw new HandshakeException.Malformed("packet", "none, the handshake has ended", packet.length + " bytes");
        }
        ended = true; // stays so if this throws
        Step step = role.received(new PacketReader(packet));
        ended = step.done() != null;
        return step;
    }

    /** What it means that the peer has closed the connection before the handshake's end: most often that it has another cookie. */
    public HandshakeException closed() {
        return role.closed();
    }

    /** The node at the other end, as far as it is known: not proved before the end. */
    public @Nullable NodeName peer() {
        return role.peer();
    }
}
