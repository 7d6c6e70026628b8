package dev.touchstone.builds.origin;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one connection to the gateway: knows when the guest was heard last, how far its handshake is, and when it has read something. Read and written by
 * the threads of the WebSocket library, asked by any.
 */
final class GuestChannel implements ByteChannel {
    /*
     * Who calls:  the library's selecting thread reads and writes, a worker of it calls `admitted`, and any thread the others.
     * Invariants: `peer` is set once. Until then a guest counts as silent since it was accepted, so that a handshake gains no time by its bytes.
     * Ordering:   the door forgets the connection before the channel is closed.
     */
    private static final int MAX_HANDSHAKE_BYTES = 16 << 10;

    private final ByteChannel channel;
    private final OriginDoor door;
    private final long acceptedNanos = System.nanoTime();
    private volatile long heardNanos = acceptedNanos;
    private volatile @Nullable OriginPeer peer;
    private int handshakeBytes; // the reading thread's

    GuestChannel(ByteChannel channel, OriginDoor door) {
        this.channel = channel;
        this.door = door;
    }

    /** Notes who the guest is, once its handshake has shown it. */
    void admitted(OriginPeer guest) {
        peer = guest;
    }

    /** Returns who the guest is; null as long as its handshake has not shown it. */
    @Nullable
    OriginPeer peer() {
        return peer;
    }

    /** Returns since when the guest is silent, as {@link System#nanoTime} counts. */
    long heardNanos() {
        return peer == null ? acceptedNanos : heardNanos;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int bytes = channel.read(into);
        if (bytes > 0) {
            heardNanos = System.nanoTime();
            if (peer == null) {
                handshakeBytes += bytes;
                if (handshakeBytes > MAX_HANDSHAKE_BYTES) {
                    throw new IOException("handshake is too long: most=" + MAX_HANDSHAKE_BYTES);
                }
            }
        }
        return bytes;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int bytes = channel.write(from);
        OriginPeer guest = peer;
        if (guest != null && bytes > 0) {
            guest.hasRead(bytes);
        }
        return bytes;
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        door.left(this);
        channel.close();
    }
}
