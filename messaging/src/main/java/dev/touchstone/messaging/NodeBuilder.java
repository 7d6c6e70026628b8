package dev.touchstone.messaging;

import dev.touchstone.messaging.epmd.NodeResolver;
import dev.touchstone.messaging.etf.DecodeLimits;
import dev.touchstone.messaging.identity.Cookie;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * The options of a node, and its start. Immutable: each method returns a changed copy. {@link Node#builder} gives the one that this library
 * brings, found with {@link java.util.ServiceLoader}.
 */
public interface NodeBuilder {
    /**
     * Sets the name of the node, so that one builder can start several nodes.
     *
     * @param name name of the node, {@code alive@host}
     * @return a changed copy
     * @throws IllegalArgumentException if no node may have the name
     */
    NodeBuilder name(String name);

    /**
     * Sets the secret shared with other nodes. Default: that of {@code ~/.erlang.cookie}.
     *
     * @param value the cookie
     * @return a changed copy
     */
    NodeBuilder cookie(Cookie value);

    /**
     * Sets where the node registers, and finds others. Default: loopback, of IPv6 where the node listens on that; port 4369 or what the
     * environment's {@code ERL_EPMD_PORT} says.
     *
     * @param address address of the port mapper
     * @return a changed copy
     */
    NodeBuilder epmd(InetSocketAddress address);

    /**
     * Sets whether the node is the port mapper itself where none answers. Default: true.
     *
     * @param value whether it is
     * @return a changed copy
     */
    NodeBuilder embeddedEpmd(boolean value);

    /**
     * Sets how other nodes are found. A node with a resolver registers nowhere, unless {@link #epmd} was set too. Default: the port mapper
     * of each node's host.
     *
     * @param value finds the address of a node
     * @return a changed copy
     */
    NodeBuilder resolver(NodeResolver value);

    /**
     * Sets the address that other nodes connect to, of IPv4 or IPv6. Default: loopback.
     *
     * @param address an address of this machine, or the wildcard address
     * @return a changed copy
     */
    NodeBuilder listen(InetAddress address);

    /**
     * Sets the TCP port that other nodes connect to, where it must be known beforehand. Default: 0.
     *
     * @param value from 0 to 65535; 0 for any that is free
     * @return a changed copy
     * @throws IllegalArgumentException if the number is outside these bounds
     */
    NodeBuilder port(int value);

    /**
     * Sets whether the node listens on TCP; one that doesn't registers nowhere. Default: true.
     *
     * @param value whether it listens
     * @return a changed copy
     */
    NodeBuilder tcp(boolean value);

    /**
     * Has nodes of the same machine connect to a Unix-domain socket too; they find it by a {@link
     * dev.touchstone.messaging.epmd.StaticResolver}. Who may connect depends on the folder's permissions, besides the cookie. The file
     * is deleted when the node is closed, and one that a dead node left is replaced. Default: none.
     *
     * @param file path of the socket
     * @return a changed copy
     */
    NodeBuilder unixSocket(Path file);

    /**
     * Puts each connection into TLS, as Erlang's {@code -proto_dist inet_tls} does. Both ends show a certificate, which the other's
     * context must trust. The certificate of a node that this one connects to must name the host of that node's name. Default: none.
     *
     * @param context has the certificates to show and to trust
     * @return a changed copy
     */
    NodeBuilder tls(SSLContext context);

    /**
     * Puts each connection into TLS, as {@link #tls(SSLContext)} does, with other parameters.
     *
     * @param context has the certificates to show and to trust
     * @param customizer changes the parameters of each connection, such as protocols and cipher suites, before its handshake. Where this
     *     node connects they come with the endpoint identification {@code HTTPS} and the host as the server name; an empty endpoint
     *     identification checks no host. Where another node connects they come with {@code needClientAuth}. Called by several threads
     * @return a changed copy
     */
    NodeBuilder tls(SSLContext context, Consumer<? super SSLParameters> customizer);

    /**
     * Sets whether the certificate of a node that connects to this one over TLS must name the host of that node's name, among its
     * subject alternative names. Default: false, as Erlang's; then any certificate that is trusted may show any node name.
     *
     * @param value whether it must
     * @return a changed copy
     */
    NodeBuilder tlsClientHost(boolean value);

    /**
     * Sets whether the node keeps out of the mesh that visible nodes make. Default: true.
     *
     * @param value whether it does
     * @return a changed copy
     */
    NodeBuilder hidden(boolean value);

    /**
     * Sets the silence after which a peer counts as lost; a node that has nothing to say ticks four times in it. Default: 60 s, as
     * Erlang's.
     *
     * @param time at least 40 ms
     * @return a changed copy
     * @throws IllegalArgumentException if the time is shorter
     */
    NodeBuilder tickTime(Duration time);

    /**
     * Sets how long a thread that waits for a message polls the sockets before it blocks. It offers the processor to others meanwhile.
     * Default: 60 us, about what it takes to wake a sleeping thread twice.
     *
     * @param time zero for not at all
     * @return a changed copy
     * @throws IllegalArgumentException if the time is negative
     */
    NodeBuilder spin(Duration time);

    /**
     * Sets how many bytes may be pending for a connection. Default: 256 KiB, 1 MiB.
     *
     * @param lowBytes from 0; senders that were blocked go on once no more than these are pending
     * @param highBytes more than {@code lowBytes}; senders block while these are pending
     * @return a changed copy
     * @throws IllegalArgumentException if the numbers are outside these bounds
     */
    NodeBuilder waterMarks(int lowBytes, int highBytes);

    /**
     * Sets what a received term may cost. Default: {@link DecodeLimits#DEFAULT}, but with as many bytes as {@link #maxFrameBytes}.
     *
     * @param value the limits; messages of more than their {@code maxBytes} are skipped
     * @return a changed copy
     */
    NodeBuilder limits(DecodeLimits value);

    /**
     * Sets the length of the longest message that is sent or accepted, in one frame or in fragments. Sending a longer one throws; one that
     * arrives is skipped, logged and counted, and the connection is kept. Messages under way in fragments may hold twice as much in
     * memory, for each connection. Default: 256 MiB.
     *
     * @param bytes from 1 KiB to 1 GiB
     * @return a changed copy
     * @throws IllegalArgumentException if the number is outside these bounds
     */
    NodeBuilder maxFrameBytes(int bytes);

    /**
     * Sets the bounds of each mailbox that is not given others when it is made.
     *
     * @param value default: {@link MailboxLimits#DEFAULT}
     * @return a changed copy
     */
    NodeBuilder mailboxLimits(MailboxLimits value);

    /**
     * Sets how long a node that connects may take to prove who it is. Default: 5 s.
     *
     * @param time at least 1 ms
     * @return a changed copy
     * @throws IllegalArgumentException if the time is shorter
     */
    NodeBuilder acceptTimeout(Duration time);

    /**
     * Sets how long connecting to a node may take. Default: 7 s, as Erlang's.
     *
     * @param time at least 1 ms
     * @return a changed copy
     * @throws IllegalArgumentException if the time is shorter
     */
    NodeBuilder connectTimeout(Duration time);

    /**
     * Starts the node.
     *
     * @return a node that listens, to be closed by the caller
     * @throws IOException if it cannot listen, its name is taken, or there is no cookie
     */
    Node start() throws IOException;
}
