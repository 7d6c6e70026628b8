package dev.touchstone.messaging.spi;

import dev.touchstone.messaging.identity.Cookie;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A node as a front end with mailboxes of its own kind sees it. Thread-safe. */
public interface NodeAccess {
    /**
     * Opens a mailbox.
     *
     * @param receiver takes its messages
     * @return the mailbox
     */
    MailboxAccess mailbox(Receiver receiver);

    /**
     * Finds the receiver of a mailbox of this node.
     *
     * @param pid the mailbox
     * @return its receiver, or null where there is no such mailbox
     */
    @Nullable
    Receiver find(Pid pid);

    /**
     * Finds the receiver of a mailbox of this node.
     *
     * @param name a name of the mailbox
     * @return its receiver, or null where there is no such mailbox
     */
    @Nullable
    Receiver find(Atom name);

    /**
     * Sets the receiver of messages for no mailbox, but those for {@code net_kernel}.
     *
     * @param receiver takes them
     */
    void others(Receiver receiver);

    /**
     * Has connections watched.
     *
     * @param watcher is told of them
     */
    void connections(ConnectionWatcher watcher);

    /**
     * Changes the cookie, for connections that are made from now on.
     *
     * @param cookie the new cookie
     */
    void cookie(Cookie cookie);

    /**
     * Connects to a node, if it is not connected.
     *
     * @param peer the node
     * @throws IOException if that fails
     */
    void connect(NodeName peer) throws IOException;

    /**
     * Returns whether a connection could not be made because the nodes have different cookies.
     *
     * @param failure the exception that {@link #connect} threw
     * @return whether the cookie is the cause
     */
    boolean isWrongCookie(Throwable failure);

    /**
     * Ends the connection to a node if there is one.
     *
     * @param peer the node
     */
    void disconnect(NodeName peer);

    /**
     * Returns whether a node is connected.
     *
     * @param peer the node
     * @return whether there is a connection
     */
    boolean isConnected(NodeName peer);

    /**
     * Makes a pid that no mailbox has or will have.
     *
     * @return the pid
     */
    Pid newPid();

    /**
     * Makes a reference that nobody has had.
     *
     * @return the reference
     */
    Ref newRef();
}
