package dev.touchstone.messaging.epmd;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/** The registration of a node, which lasts as long as its connection to EPMD. Thread-safe. */
public final class Registration implements Closeable {
    private static final long MAX_CLOSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

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

    /**
     * Ends the registration, and returns once EPMD has given the name back, so that it can be registered again at once. An EPMD that
     * does not answer is waited for half a second at most. Does not end early where the thread is interrupted. Later calls do nothing.
     */
    @Override
    public synchronized void close() throws IOException {
        try {
            channel.shutdownOutput();
            awaitEnd(System.nanoTime() + MAX_CLOSE_NANOS);
        } catch (IOException | OutOfMemoryError e) {
            // closed before, EPMD is gone, or no file descriptor or memory is left to wait with
        } finally {
            channel.close();
        }
    }

    /** Waits until EPMD has closed its end, which it does after it has given the name back. */
    private void awaitEnd(long deadlineNanos) throws IOException {
        boolean wasInterrupted = false;
        try (Selector selector = Selector.open()) {
            channel.register(selector, SelectionKey.OP_READ);
            long left = deadlineNanos - System.nanoTime();
            while (left > 0 && !isLost()) {
                wasInterrupted |= Thread.interrupted(); // an interrupted thread cannot wait
                selector.select(TimeUnit.NANOSECONDS.toMillis(left) + 1);
                selector.selectedKeys().clear();
                left = deadlineNanos - System.nanoTime();
            }
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
