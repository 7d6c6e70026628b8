package dev.touchstone.index.server.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslHandler;

/**
 * A mechanism by which a server waits for sockets.
 *
 * @param name name, for people
 * @param events factory of the event handling
 * @param channel class of the listening channel
 */
record Transport(String name, IoHandlerFactory events, Class<? extends ServerChannel> channel) {
    /** Returns epoll if its native library is available, else NIO. */
    static Transport best() {
        return Epoll.isAvailable()
                ? new Transport("epoll", EpollIoHandler.newFactory(), EpollServerSocketChannel.class)
                : new Transport("nio", NioIoHandler.newFactory(), NioServerSocketChannel.class);
    }

    /** Ends the sending side of a connection, by TLS too if there is TLS. */
    @SuppressWarnings("FutureReturnValueIgnored") // the client that does not see the end is closed later
    static void shutDown(ChannelHandlerContext ctx) {
        DuplexChannel channel = (DuplexChannel) ctx.channel();
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        if (tls == null) {
            channel.shutdownOutput();
        } else {
            tls.closeOutbound().addListener(told -> channel.shutdownOutput());
        }
    }
}
