package dev.touchstone.queue.replicated.link;

import com.alipay.remoting.ExtendedNettyChannelHandler;
import com.alipay.remoting.config.BoltServerOption;
import com.alipay.remoting.rpc.RpcServer;
import dev.touchstone.queue.replication.GroupOptions;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.util.List;

/**
 * TLS between members, both of which prove themselves by a certificate of the group's authority; names of hosts are not checked. It is put before
 * bolt's own handlers of a connection, for this member's server and clients alone: bolt's own TLS is set by properties of the process. Thread-safe.
 */
public final class TlsContexts {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    private final SslContext server;
    private final SslContext client;
    private final TlsWatch.Log log = new TlsWatch.Log();

    private TlsContexts(SslContext server, SslContext client) {
        this.server = server;
        this.client = client;
    }

    /**
     * Reads the files of a member.
     *
     * @throws IOException if they are missing or not what they should be, or do not fit each other
     */
    public static TlsContexts of(GroupOptions.Tls files) throws IOException {
        TlsFiles read = TlsFiles.read(files);
        SslContext server = SslContextBuilder.forServer(read.key(), read.chain())
                .sslProvider(SslProvider.JDK)
                .protocols(PROTOCOLS)
                .clientAuth(ClientAuth.REQUIRE)
                .trustManager(read.authorities())
                .build();
        SslContext client = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .protocols(PROTOCOLS)
                .keyManager(read.key(), read.chain())
                .trustManager(read.authorities())
                .endpointIdentificationAlgorithm(null)
                .build();
        return new TlsContexts(server, client);
    }

    /** Makes a server, which is not started yet, accept TLS alone. */
    void secure(RpcServer started) {
        started.option(BoltServerOption.EXTENDED_NETTY_CHANNEL_HANDLER, new Front(server, true, log));
    }

    /** Returns the handlers of a new connection of a client. */
    List<ChannelHandler> clientHandlers() {
        return new Front(client, false, log).frontChannelHandlers();
    }

    /** Handlers of a new connection, asked for once for each. */
    private record Front(SslContext context, boolean isServer, TlsWatch.Log log)
            implements ExtendedNettyChannelHandler {
        @Override
        public List<ChannelHandler> frontChannelHandlers() {
            return List.of(context.newHandler(ByteBufAllocator.DEFAULT), new TlsWatch(isServer, log));
        }

        @Override
        public List<ChannelHandler> backChannelHandlers() {
            return List.of();
        }
    }
}
