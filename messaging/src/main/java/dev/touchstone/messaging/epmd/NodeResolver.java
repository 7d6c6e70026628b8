package dev.touchstone.messaging.epmd;

import dev.touchstone.messaging.identity.NodeName;
import java.io.IOException;

/** Finds the address at which a node listens. Thread-safe; may block for its own timeout. */
@FunctionalInterface
public interface NodeResolver {
    /**
     * Where the node is.
     *
     * @throws IOException if it is not found; {@link EpmdException.NotRegistered} where it is known not to be there
     */
    ResolvedNode resolve(NodeName node) throws IOException;
}
