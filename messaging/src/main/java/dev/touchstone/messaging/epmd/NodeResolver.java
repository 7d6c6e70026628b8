package dev.touchstone.messaging.epmd;

import dev.touchstone.messaging.identity.NodeName;
import java.io.IOException;

/** A way to find the address at which a node listens. Thread-safe; may block for its own timeout. A node that closes interrupts it. */
@FunctionalInterface
public interface NodeResolver {
    /**
     * Finds a node.
     *
     * @param node name of the node
     * @return the node's address
     * @throws IOException if the node is not found; {@link EpmdException.NotRegistered} where it is known not to be there
     */
    ResolvedNode resolve(NodeName node) throws IOException;
}
