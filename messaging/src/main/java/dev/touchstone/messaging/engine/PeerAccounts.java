package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import java.util.HashMap;
import java.util.Map;

/** The numbers of links and monitors that the processes of each peer have asked for and that have not ended. Guarded by {@link SignalDispatcher}. */
final class PeerAccounts {
    /** The largest number for one peer: 1,000,000, in a heap of less than 4 GiB one for each 4 KiB. */
    static final int MAX_ASKED = (int) Math.min(1_000_000, Runtime.getRuntime().maxMemory() >> 12);

    private final Atom self;
    private final Map<Atom, Integer> asked = new HashMap<>();

    /**
     * Creates an empty account of each peer.
     *
     * @param self the name of this node, whose own processes are not counted
     */
    PeerAccounts(Atom self) {
        this.self = self;
    }

    /**
     * Counts a link or a monitor.
     *
     * @throws IllegalStateException if its peer has too many; it was not counted then
     */
    void add(Pid by) {
        Atom peer = by.node();
        if (peer.equals(self)) {
            return;
        }
        int before = asked.getOrDefault(peer, 0);
        if (before >= MAX_ASKED) {
            throw new IllegalStateException("peer has too many links and monitors: peer=" + peer + " asked="
                    + (before + 1) + " max=" + MAX_ASKED);
        }
        asked.put(peer, before + 1);
    }

    void remove(Pid by) {
        asked.computeIfPresent(by.node(), (peer, count) -> count == 1 ? null : count - 1);
    }

    /** Forgets a peer, whose links and monitors have all ended. */
    void clear(Atom peer) {
        asked.remove(peer);
    }
}
