package dev.touchstone.messaging.spi;

import dev.touchstone.messaging.identity.NodeName;

/** A watcher of a node's connections. Its methods must neither block nor throw. */
public interface ConnectionWatcher {
    /**
     * Takes notice of a connection that was made.
     *
     * @param peer the node at the other end
     * @param incoming whether the other node made it
     */
    void up(NodeName peer, boolean incoming);

    /**
     * Takes notice of a connection that has ended.
     *
     * @param peer the node at the other end
     * @param cause the cause
     */
    void down(NodeName peer, Exception cause);
}
