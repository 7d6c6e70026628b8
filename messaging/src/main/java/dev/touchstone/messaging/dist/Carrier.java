package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.identity.NodeName;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/**
 * The transport of one connection's bytes: TCP, TLS over it, or a Unix-domain socket. Non-blocking; one reader and one writer at a time.
 */
public interface Carrier extends Closeable {
    /** A factory of carriers around others, as of TLS. */
    interface Wrapping {
        /** Leaves carriers as they are. */
        Wrapping NONE = (carrier, dialed) -> carrier;

        /**
         * Wraps a carrier.
         *
         * @param carrier carrier of a new connection
         * @param dialed the node that we have connected to; null where the other end has connected to us
         * @return the carrier to use instead, which closes the other one
         * @throws IOException if that fails
         */
        Carrier wrap(Carrier carrier, @Nullable NodeName dialed) throws IOException;
    }

    /**
     * Returns the channel that tells when there is something to read or room to write.
     *
     * @return the channel, in non-blocking mode
     */
    SelectableChannel channel();

    /**
     * Reads the bytes that are there.
     *
     * @param target buffer that the bytes are put into, as many as it has room for
     * @return number of bytes; 0 where none are there, negative at the end
     * @throws IOException if the connection is broken
     */
    int read(ByteBuffer target) throws IOException;

    /**
     * Writes as many bytes as there is room for.
     *
     * @param source buffer that the bytes are taken from
     * @return number of bytes that were taken; they may leave later, see {@link #flushed}
     * @throws IOException if the connection is broken
     */
    int write(ByteBuffer source) throws IOException;

    /**
     * Returns whether {@link #read} may give more although the channel does not tell so.
     *
     * @return true if the carrier holds bytes itself
     */
    default boolean hasMore() {
        return false;
    }

    /**
     * Returns whether all bytes that {@link #write} has taken have left; tries to send those that have not.
     *
     * @return true if the carrier holds none any more
     * @throws IOException if the connection is broken
     */
    default boolean flushed() throws IOException {
        return true;
    }

    /**
     * Returns the operations that the channel must be ready for where {@link #write} has taken nothing.
     *
     * @return bits of {@link SelectionKey}
     */
    default int awaits() {
        return SelectionKey.OP_WRITE;
    }

    /**
     * Returns the size of the length before each packet of the handshake between nodes.
     *
     * @return 2 bytes, as Erlang has on TCP; 4 over TLS
     */
    default int handshakeLengthBytes() {
        return Short.BYTES;
    }

    /**
     * Checks that the other end may have a name, by what it has shown beside the cookie.
     *
     * @param peer the name that the other end claims
     * @throws IOException if the other end may not have the name
     */
    default void checkPeer(NodeName peer) throws IOException {}

    /**
     * Returns whether the bytes are encrypted on their way.
     *
     * @return true for TLS
     */
    default boolean isEncrypted() {
        return false;
    }

    /**
     * Returns the address of the other end.
     *
     * @return text for messages
     */
    String remote();
}
