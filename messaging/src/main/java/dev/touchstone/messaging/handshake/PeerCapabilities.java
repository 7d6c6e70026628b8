package dev.touchstone.messaging.handshake;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Term;

/**
 * The capabilities that both ends of one connection have announced. They decide which control messages are sent over it, and in which
 * form. Immutable.
 */
public final class PeerCapabilities {
    private final long common;

    /**
     * Creates the capabilities of one connection.
     *
     * @param common the flags that both nodes have announced, as {@link
     *     HandshakeResult#flags} has them
     */
    public PeerCapabilities(long common) {
        this.common = common;
    }

    /**
     * Returns whether both nodes have announced a capability.
     *
     * @param capability the capability
     * @return whether messages that depend on it may be sent
     */
    public boolean has(Capability capability) {
        return (common & capability.flag()) != 0;
    }

    /**
     * Returns whether the peer accepts monitors of a process and reports the end of such a process.
     *
     * @param process a pid, or an atom that a process is registered under
     * @return whether monitors of it may be sent, and answered
     */
    public boolean canMonitor(Term process) {
        return has(Capability.DIST_MONITOR) && (!(process instanceof Atom) || has(Capability.DIST_MONITOR_NAME));
    }

    /**
     * Returns whether a message may leave in several frames.
     *
     * @return whether both nodes take fragments, and the header that these need
     */
    public boolean canFragment() {
        return has(Capability.FRAGMENTS) && has(Capability.DIST_HDR_ATOM_CACHE);
    }

    @Override
    public String toString() {
        return DistFlags.toString(common);
    }
}
