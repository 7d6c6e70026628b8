package dev.touchstone.messaging.epmd;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The registration of a node, which lasts as long as its connection to EPMD. Thread-safe. */
public final class Registration implements Closeable {
    private final SocketChannel channel;
    private final int creation;

    Registration(SocketChannel channel, int creation) throws IOException {
        this.channel = channel;
        this.creation = creation;
        channel.configureBlocking(false);
    }

    /**
     * Returns the creation that EPMD gave to the node, which tells this life of the node from its earlier ones.
     *
     * @return unsigned, 32 bits; 1 to 3 where EPMD or the node is of an older version
     */
    public int creation() {
        return creation;
    }

    /**
     * Returns whether the registration has ended: EPMD is gone, or it was closed. Does not wait.
     *
     * @return true if it has ended
     */
    public boolean isLost() {
        try {
            return channel.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException e) {
            return true; // whatever it was, the connection is of no use any more
        }
    }

    /** Ends the registration; later calls do nothing. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
