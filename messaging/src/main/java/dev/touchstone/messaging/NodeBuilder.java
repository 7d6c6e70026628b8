package dev.touchstone.messaging;

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

/** Says how a node is to be. Immutable: each method returns a changed copy. */
public final class NodeBuilder implements Cloneable {
    private static final int MIN_FRAME_BYTES = 1 << 10;
    private static final int MAX_FRAME_BYTES = 1 << 30;

    private final NodeName name;
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

    NodeBuilder(NodeName name) {
        this.name = name;
    }

    private NodeBuilder with(Consumer<NodeBuilder> change) {
        try {
            NodeBuilder copy = (NodeBuilder) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** The secret shared with other nodes. Default: that of {@code ~/.erlang.cookie}. */
    public NodeBuilder cookie(Cookie value) {
        return with(copy -> copy.cookie = Objects.requireNonNull(value));
    }

    /**
     * Where the node registers, and finds others. Default: loopback, of IPv6 where the node listens on that; port 4369 or what the
     * environment's {@code ERL_EPMD_PORT} says.
     */
    public NodeBuilder epmd(InetSocketAddress address) {
        return with(copy -> copy.epmd = Objects.requireNonNull(address));
    }

    /** Whether the node is the port mapper itself where none answers. Default: true. */
    public NodeBuilder embeddedEpmd(boolean value) {
        return with(copy -> copy.embeddedEpmd = value);
    }

    /** Finds other nodes. Default: the port mapper of each node's host. */
    public NodeBuilder resolver(NodeResolver value) {
        return with(copy -> copy.resolver = Objects.requireNonNull(value));
    }

    /** The address that other nodes connect to, of IPv4 or IPv6. Default: loopback. */
    public NodeBuilder listen(InetAddress address) {
        return with(copy -> copy.listen = Objects.requireNonNull(address));
    }

    /** The TCP port that other nodes connect to, where it must be known beforehand; 0 for any that is free. Default: 0. */
    public NodeBuilder port(int value) {
        if (value < 0 || value > 0xffff) {
            throw new IllegalArgumentException("port=" + value + " expected 0 to 65535");
        }
        return with(copy -> copy.port = value);
    }

    /** Whether the node listens on TCP; one that doesn't registers nowhere. Default: true. */
    public NodeBuilder tcp(boolean value) {
        return with(copy -> copy.tcp = value);
    }

    /**
     * Has nodes of the same machine connect to a Unix-domain socket too; they find it by a {@link
     * dev.touchstone.messaging.epmd.StaticResolver}. Who may connect depends on the folder's permissions, besides the cookie. The file
     * is deleted when the node is closed, and one that a dead node left is replaced. Default: none.
     */
    public NodeBuilder unixSocket(Path file) {
        return with(copy -> copy.unixSocket = UnixDomainSocketAddress.of(file));
    }

    /**
     * Puts each connection into TLS, as Erlang's {@code -proto_dist inet_tls} does. Both ends show a certificate, which the other's
     * context must trust. The certificate of a node that this one connects to must name the host of that node's name. Default: none.
     *
     * @param context has the certificates to show and to trust
     * @return a changed copy
     */
    public NodeBuilder tls(SSLContext context) {
        return tls(context, parameters -> {});
    }

    /**
     * Puts each connection into TLS, as {@link #tls(SSLContext)} does, with other parameters.
     *
     * @param context has the certificates to show and to trust
     * @param customizer changes the parameters of each connection, such as protocols and cipher suites, before its handshake. Where this
     *     node connects they come with the endpoint identification {@code HTTPS} and the host as the server name; an empty endpoint
     *     identification checks no host. Where another node connects they come with {@code needClientAuth}. Called by several threads
     * @return a changed copy
     */
    public NodeBuilder tls(SSLContext context, Consumer<? super SSLParameters> customizer) {
        Objects.requireNonNull(context);
        Objects.requireNonNull(customizer);
        return with(copy -> {
            copy.tls = context;
            copy.tlsParameters = customizer;
        });
    }

    /**
     * Sets whether the certificate of a node that connects to this one over TLS must name the host of that node's name, among its
     * subject alternative names. Default: false, as Erlang's; then any certificate that is trusted may show any node name.
     *
     * @param value whether it must
     * @return a changed copy
     */
    public NodeBuilder tlsClientHost(boolean value) {
        return with(copy -> copy.tlsClientHost = value);
    }

    /** Whether the node keeps out of the mesh that visible nodes make. Default: true. */
    public NodeBuilder hidden(boolean value) {
        return with(copy -> copy.hidden = value);
    }

    /** After which silence a peer counts as lost; a node that has nothing to say ticks four times in it. Default: 60 s, as Erlang's. */
    public NodeBuilder tickTime(Duration time) {
        return with(copy -> copy.tickTime = atLeast("tickTime", time, Duration.ofMillis(40)));
    }

    /**
     * How long a thread that waits for a message polls the sockets before it blocks; zero for not at all. It offers the processor to others
     * meanwhile. Default: 60 us, about what it takes to wake a sleeping thread twice.
     */
    public NodeBuilder spin(Duration time) {
        return with(copy -> copy.spin = atLeast("spin", time, Duration.ZERO));
    }

    /** Bytes pending for a connection from which on senders block, and down to which they stay blocked. Default: 1 MiB, 256 KiB. */
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

    /**
     * Sets what a received term may cost. Default: {@link DecodeLimits#DEFAULT}, but with as many bytes as {@link #maxFrameBytes}.
     *
     * @param value the limits; messages of more than their {@code maxBytes} are skipped
     * @return a changed copy
     */
    public NodeBuilder limits(DecodeLimits value) {
        return with(copy -> copy.limits = Objects.requireNonNull(value));
    }

    /**
     * Sets the length of the longest message that is sent or accepted, in one frame or in fragments. Sending a longer one throws; one that
     * arrives is skipped, logged and counted, and the connection is kept. Messages under way in fragments may hold twice as much in
     * memory, for each connection. Default: 256 MiB.
     *
     * @param bytes from 1 KiB to 1 GiB
     * @return a changed copy
     * @throws IllegalArgumentException if the number is outside these bounds
     */
    public NodeBuilder maxFrameBytes(int bytes) {
        if (bytes < MIN_FRAME_BYTES || bytes > MAX_FRAME_BYTES) {
            throw new IllegalArgumentException(
                    "maxFrameBytes=" + bytes + " expected " + MIN_FRAME_BYTES + " to " + MAX_FRAME_BYTES);
        }
        return with(copy -> copy.maxFrameBytes = bytes);
    }

    /**
     * Sets the bounds of each mailbox that is not given others when it is made.
     *
     * @param value default: {@link MailboxLimits#DEFAULT}
     * @return a copy with these bounds
     */
    public NodeBuilder mailboxLimits(MailboxLimits value) {
        return with(copy -> copy.mailboxLimits = Objects.requireNonNull(value));
    }

    /** How long a node that connects may take to prove who it is. Default: 5 s. */
    public NodeBuilder acceptTimeout(Duration time) {
        return with(copy -> copy.acceptTimeout = atLeast("acceptTimeout", time, Duration.ofMillis(1)));
    }

    /** How long connecting to a node may take. Default: 7 s, as Erlang's. */
    public NodeBuilder connectTimeout(Duration time) {
        return with(copy -> copy.connectTimeout = atLeast("connectTimeout", time, Duration.ofMillis(1)));
    }

    /**
     * Starts the node.
     *
     * @throws IOException if it cannot listen, its name is taken, or there is no cookie
     */
    public Node start() throws IOException {
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
        return Node.start(options, tcp && (resolver == null || epmd != null));
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
