package dev.touchstone.messaging.epmd;

import java.net.SocketAddress;

/**
 * Where a node was found.
 *
 * @param address at which it listens for other nodes: of TCP, or of a Unix-domain socket
 */
public record ResolvedNode(SocketAddress address) {}
