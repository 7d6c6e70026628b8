package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.handshake.DistFlags;
import dev.touchstone.messaging.handshake.PeerCapabilities;
import dev.touchstone.messaging.identity.NodeName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Both ends of one TCP connection. */
record Loopback(SocketChannel one, SocketChannel other) {
    static final NodeName PEER = NodeName.parse("peer@localhost");

    static Loopback open() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel one = SocketChannel.open(server.getLocalAddress());
            return new Loopback(one, server.accept());
        }
    }

    /** A connection as it is after the handshake. */
    static Connection connection(SocketChannel channel, Received received) throws IOException {
        Connection.Frames frames = new Connection.Frames() {
            @Override
            public void frame(Connection connection, byte[] buffer, int offset, int length, boolean retained) {
                received.frame(buffer, offset, length);
            }

            @Override
            public void refused(Connection connection, long bytes) {}

            @Override
            public void ended(Connection connection, IOException cause) {}
        };
        return new Connection(
                new ChannelCarrier(channel),
                PEER,
                new PeerCapabilities(DistFlags.MANDATORY),
                1,
                1 << 10,
                1 << 20,
                64 << 20,
                frames);
    }

    /** Takes a frame's body. */
    interface Received {
        void frame(byte[] buffer, int offset, int length);
    }
}
