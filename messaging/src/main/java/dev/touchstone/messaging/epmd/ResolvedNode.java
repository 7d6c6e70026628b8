package dev.touchstone.messaging.epmd;

import java.net.SocketAddress;

/**
 * The place of a node that was found.
 *
 * @param address address at which the node listens for other nodes: of TCP, or of a Unix-domain socket
 */
public record ResolvedNode(SocketAddress address) {}
