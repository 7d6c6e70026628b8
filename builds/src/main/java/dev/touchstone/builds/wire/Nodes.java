package dev.touchstone.builds.wire;

import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.NodeBuilder;
import dev.touchstone.messaging.epmd.ResolvedNode;
import dev.touchstone.messaging.epmd.StaticResolver;
import dev.touchstone.messaging.etf.DecodeLimits;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.identity.NodeName;
import java.io.IOException;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The nodes that carry the messages. The master's has a fixed name and port; those of agents and clients have names that nobody has had, do not
 * listen, and know the master's address from the beginning.
 */
public final class Nodes {
    /** The master's node, whatever its address. */
    public static final NodeName MASTER = new NodeName("builds", "master");

    /** Where the master takes all messages but logs and questions about them. */
    public static final String CONTROL = "builds";

    /** Where the master takes logs. */
    public static final String LOGS = "builds_logs";

    /** Where the master is asked for logs. */
    public static final String VIEWS = "builds_views";

    private static final int MAX_FRAME_BYTES = 8 << 20;
    private static final DecodeLimits LIMITS = DecodeLimits.DEFAULT
            .withMaxBytes(MAX_FRAME_BYTES)
            .withMaxInflatedBytes(MAX_FRAME_BYTES)
            .withMaxDepth(16)
            .withMaxElements(1 << 20);

    /**
     * What both ends must have in common.
     *
     * @param token who does not know it is not let in
     * @param tls what connections are in, if they are
     * @param tick after which silence the other end counts as lost
     */
    public record Security(Cookie token, Optional<SSLContext> tls, Duration tick) {}

    private Nodes() {}

    /**
     * A master's node.
     *
     * @throws IllegalArgumentException if others could listen in: an address that is not loopback, without TLS
     */
    public static Node master(Security security, InetAddress listen, int port) throws IOException {
        if (!listen.isLoopbackAddress() && security.tls().isEmpty()) {
            throw new IllegalArgumentException(
                    "listening beyond this machine needs TLS: address=" + listen.getHostAddress());
        }
        return node(MASTER.toString(), security).listen(listen).port(port).start();
    }

    /** A node of an agent or a client; {@code role} is the first part of its name. */
    public static Node guest(Security security, MasterAddress master, String role) throws IOException {
        byte[] random = new byte[10];
        new SecureRandom().nextBytes(random);
        String name = role + '-' + HexFormat.of().formatHex(random) + "@" + role;
        return node(name, security)
                .resolver(unused -> new ResolvedNode(master.resolve()))
                .tcp(false)
                .waterMarks(64 << 10, 256 << 10)
                .start();
    }

    private static NodeBuilder node(String name, Security security) {
        NodeBuilder builder = Node.builder(name)
                .cookie(security.token())
                .resolver(new StaticResolver(Map.of()))
                .tickTime(security.tick())
                .spin(Duration.ZERO) // the processors are the scripts'
                .maxFrameBytes(MAX_FRAME_BYTES)
                .limits(LIMITS);
        // Each end trusts the other's own certificate; the hosts in these node names are none.
        return security.tls()
                .map(context -> builder.tls(context, tls -> tls.setEndpointIdentificationAlgorithm("")))
                .orElse(builder);
    }
}
