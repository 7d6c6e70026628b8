package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.identity.NodeName;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/** What carries the bytes of one connection: TCP, TLS over it, or a Unix socket. Non-blocking; one reader and one writer at a time. */
public interface Carrier extends Closeable {
    /** Puts another carrier, as of TLS, around one. */
    interface Wrapping {
        Wrapping NONE = (carrier, dialed) -> carrier;

        /**
         * Wraps a carrier.
         *
         * @param dialed the node that we have connected to; null where the other end has connected to us
         */
        Carrier wrap(Carrier carrier, @Nullable NodeName dialed) throws IOException;
    }

    /** The channel that tells when there is something to read or room to write. */
    SelectableChannel channel();

    /** Reads what is there; 0 where that is nothing, negative at the end. */
    int read(ByteBuffer target) throws IOException;

    /** Writes what there is room for. */
    int write(ByteBuffer source) throws IOException;

    /** Whether {@link #read} may give more although the channel does not tell so. */
    default boolean hasMore() {
        return false;
    }

    /** Whether all that {@link #write} has taken has left; tries to get rid of what has not. */
    default boolean flushed() throws IOException {
        return true;
    }

    /** What the channel must be ready for where {@link #write} has taken nothing. */
    default int awaits() {
        return SelectionKey.OP_WRITE;
    }

    /** Bytes of the length before each packet of the handshake between nodes: two, as Erlang has on TCP; it has four in TLS. */
    default int handshakeLengthBytes() {
        return Short.BYTES;
    }

    /**
     * Checks that the other end may have this name, by what it has shown beside the cookie.
     *
     * @throws IOException if it may not
     */
    default void checkPeer(NodeName peer) throws IOException {}

    /** Returns whether the bytes are encrypted on their way. */
    default boolean isEncrypted() {
        return false;
    }

    /** The other end, for messages. */
    String remote();
}
