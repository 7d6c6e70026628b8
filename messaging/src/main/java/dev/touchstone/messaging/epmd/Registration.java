package dev.touchstone.messaging.epmd;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The registration of a node: it lasts as long as its connection to EPMD. Thread-safe. */
public final class Registration implements Closeable {
    private final SocketChannel channel;
    private final int creation;

    Registration(SocketChannel channel, int creation) throws IOException {
        this.channel = channel;
        this.creation = creation;
        channel.configureBlocking(false);
    }

    /** Tells this life of the node from its earlier ones; 1 to 3 where EPMD or the node are of old. */
    public int creation() {
        return creation;
    }

    /** Whether it has ended: EPMD is gone, or it was closed. Does not wait. */
    public boolean isLost() {
        try {
            return channel.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException e) {
            return true; // whatever it was, the connection is of no use any more
        }
    }

    /** Ends it; later calls do nothing. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
