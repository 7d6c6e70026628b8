package dev.touchstone.messaging.spi;

import dev.touchstone.messaging.identity.NodeName;

/**
 * A watcher of a node's connections. It is told of each connection twice: when it was made, and after that of its end. A node's next
 * connection may be told of before the end of the one before. The methods must neither block nor throw.
 */
public interface ConnectionWatcher {
    /**
     * Takes notice of a connection that was made.
     *
     * @param peer the node at the other end
     * @param connection tells it apart from others to the same node
     * @param incoming whether the other node made it
     */
    void up(NodeName peer, Object connection, boolean incoming);

    /**
     * Takes notice of a connection that has ended.
     *
     * @param peer the node at the other end
     * @param connection the one that {@link #up} was told of
     * @param cause the cause
     */
    void down(NodeName peer, Object connection, Exception cause);
}
