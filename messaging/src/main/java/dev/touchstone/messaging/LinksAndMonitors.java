package dev.touchstone.messaging;

import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Whom a mailbox is tied to. Guarded by {@link SignalDispatcher}. */
final class LinksAndMonitors {
    final Set<Pid> links = new HashSet<>();
    final Map<Ref, Watched> watching = new HashMap<>();
    final Map<Ref, Watcher> watchers = new HashMap<>();
    final Set<NodeName> nodes = new HashSet<>();

    /**
     * What this mailbox watches.
     *
     * @param process a pid, or the atom that a process is registered under
     */
    record Watched(Term process, NodeName at) {}

    /**
     * Who watches this mailbox.
     *
     * @param as what the watcher has named: a pid, or an atom
     */
    record Watcher(Pid pid, Term as) {}
}
