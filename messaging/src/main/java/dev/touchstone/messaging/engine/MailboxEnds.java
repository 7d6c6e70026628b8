package dev.touchstone.messaging.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.messaging.dist.Connection;
import dev.touchstone.messaging.engine.LinksAndMonitors.Watched;
import dev.touchstone.messaging.engine.LinksAndMonitors.Watcher;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The ends of mailboxes of which not everybody was told. Thread-safe. */
final class MailboxEnds {
    /*
     * Who calls:      who closes a mailbox begins its end and tells; a thread of the node finishes what a fault has interrupted.
     * Lock:           the dispatcher's monitor.
     * Invariants:     a mailbox is here from before anything of its end is done until everybody was told. Each link and monitor of
     *                 it stays in its bonds until the other end was told. One thread at a time tells.
     * Failure:        whatever is thrown leaves the rest for finish().
     */
    private final SignalDispatcher dispatcher;

    @GuardedBy("dispatcher")
    private final Map<LocalMailbox, End> ends = new HashMap<>();

    /** The end of one mailbox. */
    static final class End {
        private final Term reason;
        private volatile boolean telling;

        private End(Term reason) {
            this.reason = reason;
        }
    }

    MailboxEnds(SignalDispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    /** Begins the end of a mailbox and shuts it; returns null where that has begun before. */
    @Nullable
    End begin(LocalMailbox mailbox, Term reason) {
        synchronized (dispatcher) {
            if (ends.containsKey(mailbox)) {
                return null;
            }
            End end = new End(reason);
            ends.put(mailbox, end);
            dispatcher.shut(mailbox);
            end.telling = true;
            return end;
        }
    }

    /** Tells all who are linked to a mailbox, or watch it, or are watched by it, that it has ended. */
    void tell(LocalMailbox mailbox, End end, SignalDispatcher.Sending sending) {
        try {
            LinksAndMonitors bonds = mailbox.bonds();
            Pid pid = mailbox.pid();
            Map<Ref, Watched> watching;
            Map<Ref, Watcher> watchers;
            List<Pid> links;
            synchronized (dispatcher) {
                watching = Map.copyOf(bonds.watching);
                watchers = Map.copyOf(bonds.watchers);
                links = List.copyOf(bonds.links.keySet());
            }
            watching.forEach((monitor, watched) -> {
                dispatcher.demonitor(pid, monitor, watched);
                synchronized (dispatcher) {
                    bonds.watching.remove(monitor);
                }
            });
            watchers.forEach((monitor, watcher) -> {
                dispatcher.down(watcher.as(), pid, watcher.pid(), monitor, end.reason, sending);
                synchronized (dispatcher) {
                    dispatcher.removeWatcher(mailbox, monitor);
                }
            });
            links.forEach(link -> {
                dispatcher.exitLink(pid, link, end.reason, sending);
                synchronized (dispatcher) {
                    boolean unused = dispatcher.removeLink(mailbox, link);
                }
            });
            synchronized (dispatcher) {
                ends.remove(mailbox);
            }
        } finally {
            end.telling = false;
        }
    }

    /** Goes on with the ends that a fault has interrupted. */
    void finish() {
        Map<LocalMailbox, End> left;
        synchronized (dispatcher) {
            if (ends.isEmpty()) {
                return;
            }
            left = new HashMap<>(ends);
        }
        left.forEach((mailbox, end) -> {
            synchronized (dispatcher) {
                if (end.telling || !ends.containsKey(mailbox)) {
                    return;
                }
                dispatcher.shut(mailbox);
                end.telling = true;
            }
            tell(mailbox, end, Connection::sendOwed);
        });
    }

    /** Removes the links and monitors over a connection that was lost. */
    void forget(Atom lost) {
        synchronized (dispatcher) {
            ends.keySet().forEach(mailbox -> mailbox.bonds().forget(lost));
        }
    }
}
