package dev.touchstone.messaging.epmd;

import dev.touchstone.messaging.identity.NodeName;
import java.net.SocketAddress;
import java.util.Map;

/** A resolver with a fixed list of nodes, which asks nobody. Immutable. */
public final class StaticResolver implements NodeResolver {
    private final Map<NodeName, SocketAddress> nodes;

    /**
     * Makes a resolver.
     *
     * @param nodes the addresses of all nodes that can be found, of TCP or of Unix-domain sockets; copied
     */
    public StaticResolver(Map<NodeName, ? extends SocketAddress> nodes) {
        this.nodes = Map.copyOf(nodes);
    }

    @Override
    public ResolvedNode resolve(NodeName node) throws EpmdException {
        SocketAddress address = nodes.get(node);
        if (address == null) {
            throw new EpmdException.NotRegistered(node.toString(), "a list of " + nodes.size() + " nodes");
        }
        return new ResolvedNode(address);
    }
}
