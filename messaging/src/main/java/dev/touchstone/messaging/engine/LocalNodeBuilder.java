package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.MailboxLimits;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.NodeBuilder;
import dev.touchstone.messaging.dist.Carrier;
import dev.touchstone.messaging.dist.TlsWrapping;
import dev.touchstone.messaging.epmd.EpmdClient;
import dev.touchstone.messaging.epmd.EpmdResolver;
import dev.touchstone.messaging.epmd.NodeResolver;
import dev.touchstone.messaging.etf.DecodeLimits;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.identity.NodeName;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** The builder of nodes of this library; a service provider, therefore public. */
public final class LocalNodeBuilder implements NodeBuilder, Cloneable {
    private static final int MIN_FRAME_BYTES = 1 << 10;
    private static final int MAX_FRAME_BYTES = 1 << 30;

    private @Nullable NodeName name;
    private @Nullable Cookie cookie;
    private @Nullable InetSocketAddress epmd;
    private boolean embeddedEpmd = true;
    private @Nullable NodeResolver resolver;
    private InetAddress listen = InetAddress.getLoopbackAddress();
    private int port;
    private boolean tcp = true;
    private @Nullable UnixDomainSocketAddress unixSocket;
    private @Nullable SSLContext tls;
    private Consumer<? super SSLParameters> tlsParameters = parameters -> {};
    private boolean tlsClientHost;
    private boolean hidden = true;
    private Duration tickTime = Duration.ofSeconds(60);
    private Duration spin = Duration.ofNanos(60_000);
    private int lowWater = 256 << 10;
    private int highWater = 1 << 20;
    private int maxFrameBytes = 256 << 20;
    private MailboxLimits mailboxLimits = MailboxLimits.DEFAULT;
    private @Nullable DecodeLimits limits;
    private Duration acceptTimeout = Duration.ofSeconds(5);
    private Duration connectTimeout = Duration.ofSeconds(7);

    /** Creates a builder with the default options, and no name yet. */
    public LocalNodeBuilder() {}

    private LocalNodeBuilder with(Consumer<LocalNodeBuilder> change) {
        try {
            LocalNodeBuilder copy = (LocalNodeBuilder) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public NodeBuilder name(String value) {
        return with(copy -> copy.name = NodeName.parse(value));
    }

    @Override
    public NodeBuilder cookie(Cookie value) {
        return with(copy -> copy.cookie = Objects.requireNonNull(value));
    }

    @Override
    public NodeBuilder epmd(InetSocketAddress address) {
        return with(copy -> copy.epmd = Objects.requireNonNull(address));
    }

    @Override
    public NodeBuilder embeddedEpmd(boolean value) {
        return with(copy -> copy.embeddedEpmd = value);
    }

    @Override
    public NodeBuilder resolver(NodeResolver value) {
        return with(copy -> copy.resolver = Objects.requireNonNull(value));
    }

    @Override
    public NodeBuilder listen(InetAddress address) {
        return with(copy -> copy.listen = Objects.requireNonNull(address));
    }

    @Override
    public NodeBuilder port(int value) {
        if (value < 0 || value > 0xffff) {
            throw new IllegalArgumentException("port=" + value + " expected 0 to 65535");
        }
        return with(copy -> copy.port = value);
    }

    @Override
    public NodeBuilder tcp(boolean value) {
        return with(copy -> copy.tcp = value);
    }

    @Override
    public NodeBuilder unixSocket(Path file) {
        return with(copy -> copy.unixSocket = UnixDomainSocketAddress.of(file));
    }

    @Override
    public NodeBuilder tls(SSLContext context) {
        return tls(context, parameters -> {});
    }

    @Override
    public NodeBuilder tls(SSLContext context, Consumer<? super SSLParameters> customizer) {
        Objects.requireNonNull(context);
        Objects.requireNonNull(customizer);
        return with(copy -> {
            copy.tls = context;
            copy.tlsParameters = customizer;
        });
    }

    @Override
    public NodeBuilder tlsClientHost(boolean value) {
        return with(copy -> copy.tlsClientHost = value);
    }

    @Override
    public NodeBuilder hidden(boolean value) {
        return with(copy -> copy.hidden = value);
    }

    @Override
    public NodeBuilder tickTime(Duration time) {
        return with(copy -> copy.tickTime = atLeast("tickTime", time, Duration.ofMillis(40)));
    }

    @Override
    public NodeBuilder spin(Duration time) {
        return with(copy -> copy.spin = atLeast("spin", time, Duration.ZERO));
    }

    @Override
    public NodeBuilder waterMarks(int lowBytes, int highBytes) {
        if (lowBytes < 0 || highBytes <= lowBytes) {
            throw new IllegalArgumentException(
                    "expected 0 <= lowBytes < highBytes: lowBytes=" + lowBytes + " highBytes=" + highBytes);
        }
        return with(copy -> {
            copy.lowWater = lowBytes;
            copy.highWater = highBytes;
        });
    }

    @Override
    public NodeBuilder limits(DecodeLimits value) {
        return with(copy -> copy.limits = Objects.requireNonNull(value));
    }

    @Override
    public NodeBuilder maxFrameBytes(int bytes) {
        if (bytes < MIN_FRAME_BYTES || bytes > MAX_FRAME_BYTES) {
            throw new IllegalArgumentException(
                    "maxFrameBytes=" + bytes + " expected " + MIN_FRAME_BYTES + " to " + MAX_FRAME_BYTES);
        }
        return with(copy -> copy.maxFrameBytes = bytes);
    }

    @Override
    public NodeBuilder mailboxLimits(MailboxLimits value) {
        return with(copy -> copy.mailboxLimits = Objects.requireNonNull(value));
    }

    @Override
    public NodeBuilder acceptTimeout(Duration time) {
        return with(copy -> copy.acceptTimeout = atLeast("acceptTimeout", time, Duration.ofMillis(1)));
    }

    @Override
    public NodeBuilder connectTimeout(Duration time) {
        return with(copy -> copy.connectTimeout = atLeast("connectTimeout", time, Duration.ofMillis(1)));
    }

    @Override
    public Node start() throws IOException {
        if (name == null) {
            throw new IllegalStateException("node has no name: expected a call of name(String) before start()");
        }
        InetSocketAddress mapper = epmd == null ? defaultEpmd() : epmd;
        NodeResolver finder = resolver;
        if (finder == null) {
            finder = epmd == null
                    ? EpmdResolver.onHosts(mapper.getPort(), connectTimeout)
                    : EpmdResolver.at(mapper, connectTimeout);
        }
        NodeOptions options = new NodeOptions(
                name,
                cookie == null ? Cookie.fromHome() : cookie,
                mapper,
                embeddedEpmd,
                finder,
                addresses(),
                tls == null ? Carrier.Wrapping.NONE : new TlsWrapping(tls, tlsParameters, tlsClientHost),
                hidden,
                tickTime,
                spin,
                lowWater,
                highWater,
                maxFrameBytes,
                mailboxLimits,
                limits == null ? DecodeLimits.DEFAULT.withMaxBytes(maxFrameBytes) : limits,
                acceptTimeout,
                connectTimeout,
                new SecureRandom());
        return LocalNode.start(options, tcp && (resolver == null || epmd != null));
    }

    private List<SocketAddress> addresses() {
        List<SocketAddress> addresses = new ArrayList<>();
        if (tcp) {
            addresses.add(new InetSocketAddress(listen, port));
        }
        if (unixSocket != null) {
            addresses.add(unixSocket);
        }
        return addresses;
    }

    private InetSocketAddress defaultEpmd() {
        boolean isIpv6 = listen instanceof Inet6Address && listen.isLoopbackAddress();
        return new InetSocketAddress(
                isIpv6 ? listen : InetAddress.getLoopbackAddress(), EpmdClient.portFromEnvironment());
    }

    private static Duration atLeast(String what, Duration value, Duration least) {
        if (value.compareTo(least) < 0) {
            throw new IllegalArgumentException(what + "=" + value + " expected at least " + least);
        }
        return value;
    }
}
