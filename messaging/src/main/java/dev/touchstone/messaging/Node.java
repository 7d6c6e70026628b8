package dev.touchstone.messaging;

import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Pid;
import java.io.IOException;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An Erlang distribution node: it has a name, connects to nodes that have the same cookie, and holds mailboxes. Thread-safe.
 *
 * <p>Connections are made when they are needed. The threads that wait for messages read the sockets themselves; a thread of the node's
 * own does where nobody waits.
 *
 * @see <a href="https://www.erlang.org/doc/apps/erts/erl_dist_protocol.html">Distribution Protocol</a>
 */
public interface Node extends AutoCloseable {
    /**
     * Creates a builder of a node.
     *
     * @param name name of the node, {@code alive@host}
     * @return builder with the default options
     * @throws IllegalArgumentException if no node may have the name
     */
    static NodeBuilder builder(String name) {
        return ServiceLoader.load(NodeBuilder.class, NodeBuilder.class.getClassLoader())
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException(
                                "no node can be built: service=" + NodeBuilder.class.getName()
                                        + " expected one implementation, got none; keep META-INF/services of the messaging jar"))
                .name(name);
    }

    /**
     * Returns the name of this node.
     *
     * @return name that it was built with
     */
    NodeName name();

    /**
     * Returns the number that tells this life of the node from its earlier ones.
     *
     * @return creation that all pids and references of this node have
     */
    int creation();

    /**
     * Returns the port that other nodes connect to.
     *
     * @return port; 0 where the node does not listen on TCP
     * @throws MessagingException.Closed if the node is closed
     */
    int port();

    /**
     * Returns whether the port mapper knows this node now. An entry that is lost, as when the port mapper ends, is made again within
     * seconds.
     *
     * @return true while there is an entry
     */
    boolean isRegistered();

    /**
     * Creates a mailbox without a name.
     *
     * @return mailbox, to be closed by the caller
     * @throws MessagingException.Closed if the node is closed
     */
    Mailbox mailbox();

    /**
     * Creates a mailbox without a name that has bounds of its own.
     *
     * @param limits in place of the node's
     * @return mailbox, to be closed by the caller
     * @throws MessagingException.Closed if the node is closed
     */
    Mailbox mailbox(MailboxLimits limits);

    /**
     * Creates a mailbox that is registered under a name.
     *
     * @param registeredName name at this node, of at most 255 characters
     * @return mailbox, to be closed by the caller
     * @throws MessagingException.NameTaken if another mailbox has the name
     * @throws MessagingException.Closed if the node is closed
     */
    Mailbox mailbox(String registeredName);

    /**
     * Creates a mailbox that is registered under a name and has bounds of its own.
     *
     * @param registeredName name at this node, of at most 255 characters
     * @param limits in place of the node's
     * @return mailbox, to be closed by the caller
     * @throws MessagingException.NameTaken if another mailbox has the name
     * @throws MessagingException.Closed if the node is closed
     */
    Mailbox mailbox(String registeredName, MailboxLimits limits);

    /**
     * Returns whether a node answers.
     *
     * @param peer node to ask, which is connected to if need be
     * @param timeout time that the answer may take
     * @return false where the node cannot be reached, or does not answer in time
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws MessagingException.Closed if this node is closed, also during the wait
     */
    boolean ping(NodeName peer, Duration timeout) throws InterruptedException;

    /**
     * Connects to a node, if it is not connected yet.
     *
     * @param peer node to connect to
     * @throws IOException if that fails, of a type that says why
     * @throws MessagingException.Closed if this node is closed, also during the wait
     */
    void connect(NodeName peer) throws IOException;

    /**
     * Returns the nodes that this one is connected to.
     *
     * @return names at this moment
     */
    Set<NodeName> connected();

    /**
     * Returns the pid of the mailbox that is registered under a name.
     *
     * @param registeredName name at this node
     * @return pid, or null if no mailbox has the name
     */
    @Nullable
    Pid whereis(String registeredName);

    /**
     * Returns a view of the names that all nodes of an Erlang cluster know.
     *
     * @param through node that is asked for them
     * @param timeout time that each request may take
     * @return view that asks for each call
     */
    default Global global(NodeName through, Duration timeout) {
        return new Global(this, through, timeout);
    }

    /**
     * Answers calls of a function by {@code rpc} and {@code erpc}; replaces an earlier handler of that function.
     *
     * @param module module that callers name
     * @param function function that callers name, of any arity
     * @param handler what computes the result, on one of the node's threads
     */
    void handler(String module, String function, RpcHandler handler);

    /**
     * Ends the connection to a node. Links and monitors over it fire with {@code noconnection}; a later message connects again.
     *
     * @param peer node to disconnect from
     * @return whether there was a connection
     */
    boolean disconnect(NodeName peer);

    /**
     * Returns the figures of this node, its connections, and the connections that ended last.
     *
     * @return figures at this moment
     */
    NodeStats stats();

    /**
     * Ends all mailboxes and connections, and gives the name back. Threads that wait for a connection or a message get
     * {@link MessagingException.Closed}. Waits until the port mapper has taken the name back, at most about half a second.
     */
    @Override
    void close();
}
