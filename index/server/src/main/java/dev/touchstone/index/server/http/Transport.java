package dev.touchstone.index.server.http;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;

/**
 * How the machine waits for sockets.
 *
 * @param name for people
 * @param events makes what waits
 * @param channel listens
 */
record Transport(String name, IoHandlerFactory events, Class<? extends ServerChannel> channel) {
    /** Epoll where its native library is, NIO elsewhere. */
    static Transport best() {
        return Epoll.isAvailable()
                ? new Transport("epoll", EpollIoHandler.newFactory(), EpollServerSocketChannel.class)
                : new Transport("nio", NioIoHandler.newFactory(), NioServerSocketChannel.class);
    }
}
