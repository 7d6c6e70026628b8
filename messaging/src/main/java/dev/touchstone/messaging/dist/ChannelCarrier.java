package dev.touchstone.messaging.dist;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;

/** A carrier of plain bytes over a TCP or Unix-domain socket. */
public final class ChannelCarrier implements Carrier {
    private final SocketChannel channel;
    private final String remote;

    /**
     * Takes over a channel, and makes it non-blocking.
     *
     * @param channel a connected channel, which {@link #close} closes
     * @throws IOException if the channel is closed
     */
    public ChannelCarrier(SocketChannel channel) throws IOException {
        this.channel = channel;
        this.remote = remote(channel);
        if (channel.supportedOptions().contains(StandardSocketOptions.TCP_NODELAY)) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        channel.configureBlocking(false);
    }

    /** Opens a channel for addresses of this kind. */
    static SocketChannel open(SocketAddress address) throws IOException {
        return address instanceof UnixDomainSocketAddress
                ? SocketChannel.open(StandardProtocolFamily.UNIX)
                : SocketChannel.open();
    }

    /** Returns the address of the other end. A client of a Unix-domain socket has none, so that its server's is named. */
    private static String remote(SocketChannel channel) throws IOException {
        String address = String.valueOf(channel.getRemoteAddress());
        return address.isEmpty() ? "a client of " + channel.getLocalAddress() : address;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return channel.read(target);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return channel.write(source);
    }

    @Override
    public String remote() {
        return remote;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
