package com.ericsson.otp.erlang;

import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.NodeBuilder;
import dev.touchstone.messaging.epmd.ResolvedNode;
import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.spi.FrontEnds;
import dev.touchstone.messaging.spi.NodeAccess;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The messaging node behind a node of this package. Over TCP it listens itself; where a factory makes the connections it has a Unix-domain
 * socket instead, to and from which {@link Pump} carries the bytes. Thread-safe.
 */
final class Engine {
    private final OtpLocalNode self;
    private final Node node;
    private final NodeAccess access;
    private final Path folder; // of the socket; null over TCP
    private final UnixDomainSocketAddress socket; // null over TCP
    private final OtpServerTransport server; // null over TCP

    private Engine(
            OtpLocalNode self, Node node, Path folder, UnixDomainSocketAddress socket, OtpServerTransport server) {
        this.self = self;
        this.node = node;
        this.access = FrontEnds.access(node);
        this.folder = folder;
        this.socket = socket;
        this.server = server;
    }

    static Engine start(OtpLocalNode self, int port) throws IOException {
        NodeBuilder builder = Node.builder(self.node()).cookie(cookie(self)).resolver(peer -> resolve(self, peer));
        if (usesTcp(self)) {
            try {
                Node node = builder.listen(Listening.address()).port(port).start();
                return new Engine(self, node, null, null, null);
            } catch (IOException e) {
                if (e.getCause() instanceof BindException) {
                    throw (IOException) new BindException(e.getMessage()).initCause(e); // programs try other ports then
                }
                throw e;
            }
        }
        OtpServerTransport server = self.factory() instanceof OtpGenericTransportFactory generic
                ? generic.createServerTransport(self)
                : self.createServerTransport(port);
        Path folder = Pump.newFolder();
        UnixDomainSocketAddress socket = UnixDomainSocketAddress.of(folder.resolve("node"));
        try {
            Node node = builder.tcp(false).unixSocket(socket.getPath()).start();
            return new Engine(self, node, folder, socket, server);
        } catch (IOException | RuntimeException e) {
            server.close();
            Files.deleteIfExists(folder);
            throw e;
        }
    }

    private static boolean usesTcp(AbstractNode node) {
        return node.factory().getClass() == OtpSocketTransportFactory.class;
    }

    /** Returns the node's cookie; where it is empty or null one that nobody knows, for an empty cookie proves nothing. */
    private static Cookie cookie(AbstractNode node) {
        String cookie = node.cookie();
        return Cookie.of(cookie == null || cookie.isEmpty() ? UUID.randomUUID().toString() : cookie);
    }

    private static ResolvedNode resolve(OtpLocalNode self, NodeName peer) throws IOException {
        OtpPeer asked = new OtpPeer(peer.toString(), self.factory());
        SocketAddress address;
        if (usesTcp(self)) {
            int port = OtpEpmd.lookupPort(asked);
            if (port == 0) {
                throw new IOException("No remote node found - cannot connect");
            }
            address = new InetSocketAddress(InetAddress.getByName(peer.host()), port);
        } else {
            address = Pump.serve(self.createTransport(asked));
        }
        return new ResolvedNode(address);
    }

    /** Accepts connections of the factory until the node is closed; returns at once over TCP. */
    void serve() {
        try {
            while (server != null) {
                Pump.connect(server.accept(), socket);
            }
        } catch (IOException e) {
            // closed
        }
    }

    NodeAccess access() {
        return access;
    }

    int port() {
        return server == null ? node.port() : server.getLocalPort();
    }

    int creation() {
        return node.creation();
    }

    void cookieChanged() {
        access.cookie(cookie(self));
    }

    /** Connects to a node if it is not connected. */
    void connect(String peer) throws IOException, OtpAuthException {
        try {
            access.connect(NodeName.parse(peer));
        } catch (IOException e) {
            if (access.isWrongCookie(e)) {
                OtpAuthException refused = new OtpAuthException("Peer authentication error: peer=" + peer);
                refused.initCause(e);
                throw refused;
            }
            throw e;
        } catch (MessagingException | IllegalArgumentException e) {
            throw new IOException("Cannot connect to peer node: " + e.getMessage(), e);
        }
    }

    void disconnect(String peer) {
        access.disconnect(NodeName.parse(peer));
    }

    /** Returns whether a node that is connected answers in time. */
    boolean ping(String peer, long millis) {
        try {
            return node.ping(NodeName.parse(peer), java.time.Duration.ofMillis(millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (MessagingException e) {
            return false;
        }
    }

    void close() {
        node.close();
        try {
            if (server != null) {
                server.close();
                Files.deleteIfExists(socket.getPath());
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            // it is of no use any more
        }
    }
}
