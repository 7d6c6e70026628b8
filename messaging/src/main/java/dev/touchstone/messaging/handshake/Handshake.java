package dev.touchstone.messaging.handshake;

import dev.touchstone.messaging.identity.NodeName;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The handshake of version 6, as one side sees it: packets in, packets and an outcome out. For one thread at a time.
 *
 * <p>The caller, who carries the packets, puts the two bytes of length before each, bounds the size of what comes in and the time it
 * takes, sends the {@linkplain HandshakeException#farewell() farewell} of a failure, and closes the connection then.
 *
 * @see <a href="https://www.erlang.org/doc/apps/erts/erl_dist_protocol.html">Distribution Protocol, "Distribution Handshake"</a>
 */
public final class Handshake {
    /** Longest packet of an honest peer, in bytes: longer ones need not be read. */
    public static final int MAX_PACKET_BYTES = 4096;

    private final Role role;
    private boolean ended;

    /** The state machine of one side. */
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

    /**
     * Makes the side that has connected. It still wants the connection if the peer asks.
     *
     * @param options what the node brings to the handshake
     * @return the handshake, at its start
     */
    public static Handshake initiator(HandshakeOptions options) {
        return initiator(options, () -> true);
    }

    /**
     * Makes the side that has connected.
     *
     * @param options what the node brings to the handshake
     * @param stillWanted whether an older connection that the peer holds to be up is lost, and this one wanted in its place
     * @return the handshake, at its start
     */
    public static Handshake initiator(HandshakeOptions options, BooleanSupplier stillWanted) {
        return new Handshake(new Initiator(options, stillWanted));
    }

    /**
     * Makes the side that was connected to.
     *
     * @param options what the node brings to the handshake
     * @param check decides about the peer once it has told its name
     * @return the handshake, at its start
     */
    public static Handshake acceptor(HandshakeOptions options, AliveCheck check) {
        return new Handshake(new Acceptor(options, check));
    }

    /**
     * Returns the packets to send before any is received.
     *
     * @return packets without their length; none for an acceptor
     */
    public List<byte[]> start() {
        return role.start();
    }

    /**
     * Goes on with a packet of the peer's.
     *
     * @param packet the packet, without its length
     * @return the packets to send now, and the outcome if the handshake is done
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

    /**
     * Returns the meaning of an end of input before the handshake's end: most often that the peer has another cookie.
     *
     * @return the exception to throw
     */
    public HandshakeException closed() {
        return role.closed();
    }

    /**
     * Returns the node at the other end, which is not proved before the handshake's end.
     *
     * @return its name; null where it has not told it
     */
    public @Nullable NodeName peer() {
        return role.peer();
    }
}
