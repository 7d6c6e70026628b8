package dev.touchstone.messaging.epmd;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the server: one request, its answer, and then the end, unless it is a registration. Confined to the server's thread.
 */
final class EpmdConnection implements Closeable {
    private static final int FIRST_BYTES = 64; // room for most requests

    private final SocketChannel channel;
    private final EpmdRegistry registry;
    private final int epmdPort;
    private final long startNanos;
    private long lastNanos;
    private ByteBuffer in = ByteBuffer.allocate(FIRST_BYTES);
    private @Nullable ByteBuffer out;
    private @Nullable EpmdNode registered;

    EpmdConnection(SocketChannel channel, EpmdRegistry registry, int epmdPort, long nowNanos) {
        this.channel = channel;
        this.registry = registry;
        this.epmdPort = epmdPort;
        this.startNanos = nowNanos;
        this.lastNanos = nowNanos;
    }

    /** Returns when it began, in the time of {@link System#nanoTime}. */
    long startNanos() {
        return startNanos;
    }

    /** Returns when it was last ready for something, in the time of {@link System#nanoTime}. */
    long lastNanos() {
        return lastNanos;
    }

    boolean isRegistration() {
        return registered != null;
    }

    /** Reads or writes, as the connection is ready for. Returns false when it has come to its end. */
    boolean serve(SelectionKey key, long nowNanos) throws IOException {
        lastNanos = nowNanos;
        if (out == null) {
            int read = channel.read(in);
            if (read < 0) {
                return false;
            }
            if (isRegistration() && read > 0) {
                throw new EpmdException.Malformed("registration", "nothing more", read + " bytes");
            }
            out = answer();
        }
        return out == null || flush(key, out);
    }

    /** Ends its registration too. */
    @Override
    public void close() throws IOException {
        EpmdNode node = registered;
        if (node != null) {
            registered = null;
            registry.unregister(node);
        }
        channel.close();
    }

    private boolean flush(SelectionKey key, ByteBuffer answer) throws IOException {
        channel.write(answer);
        if (answer.hasRemaining()) {
            key.interestOps(SelectionKey.OP_WRITE);
            return true;
        }
        key.interestOps(SelectionKey.OP_READ);
        out = null;
        return isRegistration();
    }

    /** Returns the answer to the request in the buffer; null while it is not all there. */
    private @Nullable ByteBuffer answer() throws IOException {
        if (in.position() < EpmdFormat.LENGTH_BYTES) {
            return null;
        }
        int length = in.getShort(0) & 0xffff;
        if (length == 0 || length > EpmdFormat.MAX_REQUEST_BYTES) {
            throw new EpmdException.Malformed("request", "1 to " + EpmdFormat.MAX_REQUEST_BYTES + " bytes", length);
        }
        int end = EpmdFormat.LENGTH_BYTES + length;
        if (in.position() > end) {
            throw new EpmdException.Malformed("request", length + " bytes", "more");
        }
        if (in.position() < end) {
            if (in.capacity() <= end) {
                in = ByteBuffer.allocate(end + 1).put(in.flip()); // with room to see that more comes
            }
            return null;
        }
        in.flip().position(EpmdFormat.LENGTH_BYTES);
        ByteBuffer answer = ByteBuffer.wrap(answer(in.get() & 0xff, in));
        in = ByteBuffer.allocate(1); // nothing more is expected
        return answer;
    }

    private byte[] answer(int tag, ByteBuffer fields) throws IOException {
        return switch (tag) {
            case EpmdFormat.ALIVE2_REQ -> register(EpmdFormat.readAlive(fields));
            case EpmdFormat.PORT_PLEASE2_REQ -> EpmdFormat.portResponse(registry.lookup(EpmdFormat.readName(fields)));
            case EpmdFormat.NAMES_REQ -> EpmdFormat.namesResponse(epmdPort, registry.nodes());
            case EpmdFormat.DUMP_REQ -> EpmdFormat.dumpResponse(epmdPort, registry.nodes());
            case EpmdFormat.KILL_REQ -> EpmdFormat.killRefused();
            default -> throw new EpmdException.Malformed("request", "a known tag", "tag " + tag);
        };
    }

    private byte[] register(EpmdFormat.Alive request) throws IOException {
        EpmdNode node = request.node();
        if (node == null || !isLocal() || !registry.register(node)) {
            return EpmdFormat.alive2Refused(request.highVersion());
        }
        registered = node;
        return EpmdFormat.alive2Registered(node.highVersion(), registry.nextCreation(node.highVersion()));
    }

    /** Returns whether the client is on this machine, as a node must be to be found here. */
    private boolean isLocal() throws IOException {
        InetSocketAddress client = (InetSocketAddress) channel.getRemoteAddress();
        InetSocketAddress own = (InetSocketAddress) channel.getLocalAddress();
        return client.getAddress().isLoopbackAddress() || client.getAddress().equals(own.getAddress());
    }
}
