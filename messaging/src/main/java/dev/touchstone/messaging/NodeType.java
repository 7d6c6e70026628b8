package dev.touchstone.messaging;

/** Kinds of nodes, by what their connections to this node are: where one of the two nodes is hidden, both count as hidden. */
public enum NodeType {
    /** Nodes whose connection takes part in the cluster's mesh; this node has none unless it was built with {@code hidden(false)}. */
    VISIBLE,
    /** Nodes whose connection does not. */
    HIDDEN,
    /** All nodes. */
    ALL
}
