package dev.touchstone.benchmarks.index.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * A server on Netty that does as little as possible: requests are cut from the bytes and ignored, and the answer is always the same. Compiled for the
 * Netty 4.1 of the peers, which the 4.2 that it runs with still takes.
 */
final class ConstantServer {
    private static final int BACKLOG = 1024;

    private ConstantServer() {}

    /** Serves for ever; says where in the words of index-server. */
    static void run(int threads, int answerBytes, PrintWriter out) throws InterruptedException {
        boolean isEpoll = Epoll.isAvailable();
        EventLoopGroup loops = isEpoll ? new EpollEventLoopGroup(threads) : new NioEventLoopGroup(threads);
        Class<? extends ServerChannel> type = isEpoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        ByteBuf answer = answer(answerBytes);
        Channel listening = new ServerBootstrap()
                .group(loops)
                .channel(type)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new HttpRequestDecoder(), new Answering(answer));
                    }
                })
                .bind("127.0.0.1", 0)
                .sync()
                .channel();
        out.println("ready: http://127.0.0.1:" + ((InetSocketAddress) listening.localAddress()).getPort() + "/");
        listening.closeFuture().sync();
    }

    /** A response with a body of so many bytes, for all connections at once. */
    private static ByteBuf answer(int bytes) {
        String head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: " + bytes
                + "\r\ndate: Sun, 01 Nov 2026 00:00:00 GMT\r\nx-index-version: 1\r\netag: \"1\"\r\n\r\n";
        ByteBuf response = Unpooled.directBuffer(head.length() + bytes);
        response.writeCharSequence(head, StandardCharsets.US_ASCII);
        for (int i = 0; i < bytes; i++) {
            response.writeByte(i == bytes - 1 ? '\n' : 'x');
        }
        return Unpooled.unreleasableBuffer(response);
    }

    /** Answers one connection. */
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for writes, nor for a connection's end
    private static final class Answering extends ChannelInboundHandlerAdapter {
        private final ByteBuf answer;

        Answering(ByteBuf answer) {
            this.answer = answer;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            boolean isEnd = message instanceof LastHttpContent;
            ReferenceCountUtil.release(message);
            if (isEnd) {
                ctx.write(answer.duplicate(), ctx.voidPromise());
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }
}
