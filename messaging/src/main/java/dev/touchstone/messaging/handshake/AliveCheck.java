package dev.touchstone.messaging.handshake;

import dev.touchstone.messaging.identity.NodeName;

/** What an accepting node says to a node that has told its name, and not yet proved that it knows the cookie. */
@FunctionalInterface
public interface AliveCheck {
    /** The answer to {@code peer}; asked once for each handshake, on the thread that runs it, and so must not block. */
    Verdict check(NodeName peer);

    /**
     * The answer where both nodes are connecting to each other: the attempt of the node with the greater name stays.
     *
     * @see <a href="https://www.erlang.org/doc/apps/erts/erl_dist_protocol.html">Distribution Protocol, "ok_simultaneous"</a>
     */
    static Verdict simultaneous(NodeName self, NodeName peer) {
        return self.compareTo(peer) > 0 ? Verdict.NOK : Verdict.OK_SIMULTANEOUS;
    }

    /** The answers there are. */
    enum Verdict {
        /** The handshake goes on. */
        OK("ok"),
        /** It goes on, and our own attempt to connect to the peer is given up. */
        OK_SIMULTANEOUS("ok_simultaneous"),
        /** It ends, for our own attempt to connect to the peer goes on. */
        NOK("nok"),
        /** It ends: the peer is not wanted here. */
        NOT_ALLOWED("not_allowed"),
        /** A connection to the peer counts as up: the peer is asked whether it is lost, and if so the handshake goes on. */
        ALIVE("alive");

        private final String status;

        Verdict(String status) {
            this.status = status;
        }

        /** The word on the wire. */
        String status() {
            return status;
        }
    }
}
