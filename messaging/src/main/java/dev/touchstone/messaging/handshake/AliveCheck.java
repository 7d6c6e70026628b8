package dev.touchstone.messaging.handshake;

import dev.touchstone.messaging.identity.NodeName;

/** A decision about a node that has told its name, and not yet proved that it knows the cookie. */
@FunctionalInterface
public interface AliveCheck {
    /**
     * Decides about a node; called once for each handshake, on the thread that runs it, within whose time it
     * may wait a moment.
     *
     * @param peer the name that the node has told
     * @return the answer to the node
     */
    Verdict check(NodeName peer);

    /**
     * Decides where both nodes are connecting to each other: the attempt of the node with the greater name stays.
     *
     * @param self the accepting node
     * @param peer the connecting node
     * @return {@link Verdict#NOK} or {@link Verdict#OK_SIMULTANEOUS}
     * @see <a href="https://www.erlang.org/doc/apps/erts/erl_dist_protocol.html">Distribution Protocol, "ok_simultaneous"</a>
     */
    static Verdict simultaneous(NodeName self, NodeName peer) {
        return self.compareTo(peer) > 0 ? Verdict.NOK : Verdict.OK_SIMULTANEOUS;
    }

    /** An answer to a connecting node. */
    enum Verdict {
        /** The handshake goes on. */
        OK("ok"),
        /** The handshake goes on, and the accepting node gives up its own attempt to connect to the peer. */
        OK_SIMULTANEOUS("ok_simultaneous"),
        /** The handshake ends, for the accepting node's own attempt to connect to the peer goes on. */
        NOK("nok"),
        /** The handshake ends: the peer is not wanted here. */
        NOT_ALLOWED("not_allowed"),
        /** A connection to the peer counts as up: the peer is asked whether that is lost, and if so the handshake goes on. */
        ALIVE("alive");

        private final String status;

        Verdict(String status) {
            this.status = status;
        }

        /** Returns the word on the wire. */
        String status() {
            return status;
        }
    }
}
