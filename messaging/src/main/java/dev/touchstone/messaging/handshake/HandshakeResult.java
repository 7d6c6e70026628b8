package dev.touchstone.messaging.handshake;

import dev.touchstone.messaging.identity.NodeName;

/**
 * The outcome for two nodes that have proved that they share the cookie.
 *
 * @param peer the node at the other end
 * @param flags the flags that both nodes have announced
 * @param peerCreation tells the peer's life from its earlier ones
 * @param self our own name, given by the peer if it was asked for one
 * @param creation our own creation, given by the peer if it was asked for a name
 */
public record HandshakeResult(NodeName peer, long flags, int peerCreation, NodeName self, int creation) {}
