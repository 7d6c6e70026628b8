package dev.touchstone.messaging.spi;

import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The way from a node to its {@link NodeAccess}, which its public API does not have. */
public final class FrontEnds {
    private static volatile @Nullable Function<AutoCloseable, NodeAccess> opener;

    private FrontEnds() {}

    /**
     * Sets how access is given; called by the class of nodes when it is loaded.
     *
     * @param toNode gives access to a node
     */
    public static void opener(Function<AutoCloseable, NodeAccess> toNode) {
        opener = toNode;
    }

    /**
     * Gives access to a node.
     *
     * @param node a node of {@code dev.touchstone.messaging}
     * @return the access
     */
    public static NodeAccess access(AutoCloseable node) {
        return Objects.requireNonNull(opener, "no node was made yet").apply(node);
    }
}
