package com.ericsson.otp.erlang;

/**
 * A handler of what happens to nodes; programs override the methods they need. One thread calls them, in order. Attempts of other nodes
 * that fail are not told: the messaging node refuses them before it knows a name.
 */
public class OtpNodeStatus {
    /** Creates a handler. */
    public OtpNodeStatus() {}

    /**
     * Takes notice of a connection to another node.
     *
     * @param node the name of the node
     * @param up whether the connection was made; else it has ended
     * @param info why it has ended, or null
     */
    public void remoteStatus(String node, boolean up, Object info) {}

    /**
     * Takes notice of this node.
     *
     * @param node the name of this node
     * @param up whether it listens; else it was closed
     * @param info null
     */
    public void localStatus(String node, boolean up, Object info) {}

    /**
     * Takes notice of an attempt to connect that failed.
     *
     * @param node the name of the node
     * @param incoming whether the other node made it
     * @param info why it failed
     */
    public void connAttempt(String node, boolean incoming, Object info) {}
}
