package dev.touchstone.queue.replicated.link;

import com.alipay.remoting.ExtendedNettyChannelHandler;
import com.alipay.remoting.config.BoltClientOption;
import com.alipay.remoting.config.BoltServerOption;
import com.alipay.remoting.rpc.RpcClient;
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

    private TlsContexts(SslContext server, SslContext client) {
        this.server = server;
        this.client = client;
    }

    /**
     * Reads the files of a member.
     *
     * @throws IOException if they are missing or not what they should be
     */
    public static TlsContexts of(GroupOptions.Tls files) throws IOException {
        try {
            SslContext server = SslContextBuilder.forServer(
                            files.certificate().toFile(), files.key().toFile())
                    .sslProvider(SslProvider.JDK)
                    .protocols(PROTOCOLS)
                    .clientAuth(ClientAuth.REQUIRE)
                    .trustManager(files.authority().toFile())
                    .build();
            SslContext client = SslContextBuilder.forClient()
                    .sslProvider(SslProvider.JDK)
                    .protocols(PROTOCOLS)
                    .keyManager(files.certificate().toFile(), files.key().toFile())
                    .trustManager(files.authority().toFile())
                    .endpointIdentificationAlgorithm(null)
                    .build();
            return new TlsContexts(server, client);
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException(
                    "the files for TLS cannot be used: certificate=" + files.certificate() + " key=" + files.key()
                            + " authority=" + files.authority() + ": " + e.getMessage(),
                    e);
        }
    }

    /** Makes a server, which is not started yet, accept TLS alone. */
    void secure(RpcServer started) {
        started.option(BoltServerOption.EXTENDED_NETTY_CHANNEL_HANDLER, new Front(server));
    }

    /** Makes the connections of a client, of which there are none yet, speak TLS. */
    void secure(RpcClient started) {
        started.option(BoltClientOption.EXTENDED_NETTY_CHANNEL_HANDLER, new Front(client));
    }

    /** Returns the handler of a new connection of a client. */
    ChannelHandler clientHandler() {
        return client.newHandler(ByteBufAllocator.DEFAULT);
    }

    /** Handlers of a new connection, asked for once for each. */
    private record Front(SslContext context) implements ExtendedNettyChannelHandler {
        @Override
        public List<ChannelHandler> frontChannelHandlers() {
            return List.of(context.newHandler(ByteBufAllocator.DEFAULT));
        }

        @Override
        public List<ChannelHandler> backChannelHandlers() {
            return List.of();
        }
    }
}
