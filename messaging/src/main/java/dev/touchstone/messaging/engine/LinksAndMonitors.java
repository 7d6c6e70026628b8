package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The links and monitors of one mailbox. Guarded by {@link SignalDispatcher}. */
final class LinksAndMonitors {
    /** The linked processes, and for each whether that process has asked for the link, which then counts at its peer's account. */
    final Map<Pid, Boolean> links = new HashMap<>();

    /** The ids of this mailbox's last unlinks that their other ends have not acknowledged. */
    final Map<Pid, Long> unlinking = new HashMap<>();

    final Map<Ref, Watched> watching = new HashMap<>();
    final Map<Ref, Watcher> watchers = new HashMap<>();
    final Set<NodeName> nodes = new HashSet<>();

    /** Removes everything that was over a connection to a node. */
    void forget(Atom peer) {
        links.keySet().removeIf(other -> other.node().equals(peer));
        unlinking.keySet().removeIf(other -> other.node().equals(peer));
        watching.values().removeIf(watched -> watched.at().equals(peer));
        watchers.values().removeIf(watcher -> watcher.pid().node().equals(peer));
    }

    /**
     * A process that this mailbox watches.
     *
     * @param process a pid, or the atom that a process is registered under
     * @param at name of the process's node; no node needs to have it
     */
    record Watched(Term process, Atom at) {}

    /**
     * A process that watches this mailbox.
     *
     * @param pid watching process
     * @param as address that it has named: a pid, or an atom
     */
    record Watcher(Pid pid, Term as) {}
}
