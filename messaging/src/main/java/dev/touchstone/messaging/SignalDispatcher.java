package dev.touchstone.messaging;

import dev.touchstone.messaging.LinksAndMonitors.Watched;
import dev.touchstone.messaging.LinksAndMonitors.Watcher;
import dev.touchstone.messaging.dist.Capability;
import dev.touchstone.messaging.dist.Connection;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Links, monitors and exits of a node's mailboxes, with each other and with processes of other nodes. Thread-safe. */
final class SignalDispatcher {
    /*
     * Lock:           this object's guards all Bonds and the closing of mailboxes. Nothing is sent to other nodes under it, since
     *                 sending may wait; delivering to a mailbox of this node does not. A connection is taken out of use under
     *                 it, so that no bond over the next connection to that node is taken for one over the lost one.
     * Invariants:     a closed mailbox has no bonds. A monitor is answered once: by whoever removes it from `watching`.
     */
    private final Node node;
    private final Mailboxes mailboxes;
    private final AtomicLong unlinkIds = new AtomicLong();

    SignalDispatcher(Node node, Mailboxes mailboxes) {
        this.node = node;
        this.mailboxes = mailboxes;
    }

    // --- what this node's mailboxes ask for

    Ref monitor(Mailbox by, Term process, NodeName at) {
        Ref monitor = node.newRef();
        expectDown(by, monitor, process, at);
        if (node.isSelf(at)) {
            onMonitor(by.pid(), process, monitor);
        } else if (!watch(by.pid(), process, monitor, at)) {
            onDown(by.pid(), monitor, null, WellKnownAtoms.NOCONNECTION);
        }
        return monitor;
    }

    /**
     * Asks another node for a monitor. Where that node has no such monitors, this one supervises the connection only, as Erlang's does.
     *
     * @return false if there is no connection, and none can be made
     */
    private boolean watch(Pid by, Term process, Ref monitor, NodeName at) {
        Connection connection = node.peers().connect(at);
        if (connection != null && connection.capabilities().canMonitor(process)) {
            connection.sendOwed(null, out -> out.monitor(by, process, monitor));
        }
        return connection != null;
    }

    /** Has a monitor that was made elsewhere, with a spawned process, answered. */
    synchronized void expectDown(Mailbox by, Ref monitor, Term process, NodeName at) {
        by.bonds().watching.put(monitor, new Watched(process, at));
    }

    void demonitor(Mailbox by, Ref monitor) {
        Watched watched;
        synchronized (this) {
            watched = by.bonds().watching.remove(monitor);
        }
        if (watched != null) {
            demonitor(by.pid(), monitor, watched);
        }
    }

    private void demonitor(Pid by, Ref monitor, Watched watched) {
        if (node.isSelf(watched.at())) {
            onDemonitor(watched.process(), monitor);
        } else {
            Connection connection = node.peers().find(watched.at().atom());
            if (connection != null && connection.capabilities().canMonitor(watched.process())) {
                connection.sendOwed(null, out -> out.demonitor(by, watched.process(), monitor));
            }
        }
    }

    void link(Mailbox by, Pid other) {
        synchronized (this) {
            if (!by.bonds().links.add(other)) {
                return;
            }
        }
        if (node.isSelf(other)) {
            onLink(by.pid(), other);
        } else if (!ask(nameOf(other), out -> out.link(by.pid(), other))) {
            onExit(other, by.pid(), WellKnownAtoms.NOCONNECTION);
        }
    }

    void unlink(Mailbox by, Pid other) {
        synchronized (this) {
            if (!by.bonds().links.remove(other)) {
                return;
            }
        }
        long id = unlinkIds.incrementAndGet();
        if (node.isSelf(other)) {
            onUnlink(by.pid(), other);
        } else {
            tell(nameOf(other), out -> out.unlink(id, by.pid(), other));
        }
    }

    void exit(Mailbox by, Pid to, Term reason) {
        if (node.isSelf(to)) {
            onExit2(by.pid(), to, reason);
        } else {
            boolean unused = ask(nameOf(to), out -> out.exit2(by.pid(), to, reason));
        }
    }

    void monitorNode(Mailbox by, NodeName watched) {
        synchronized (this) {
            by.bonds().nodes.add(watched);
        }
        if (!node.isSelf(watched) && node.peers().connect(watched) == null) {
            onNodeDown(by, watched);
        }
    }

    void closed(Mailbox mailbox, Term reason) {
        List<Pid> links;
        Map<Ref, Watched> watching;
        Map<Ref, Watcher> watchers;
        synchronized (this) {
            if (mailbox.isClosed()) {
                return;
            }
            mailbox.shut();
            mailboxes.remove(mailbox);
            LinksAndMonitors bonds = mailbox.bonds();
            links = List.copyOf(bonds.links);
            watching = Map.copyOf(bonds.watching);
            watchers = Map.copyOf(bonds.watchers);
            bonds.links.clear();
            bonds.watching.clear();
            bonds.watchers.clear();
            bonds.nodes.clear();
        }
        watching.forEach((monitor, watched) -> demonitor(mailbox.pid(), monitor, watched));
        watchers.forEach((monitor, watcher) -> down(watcher.as(), watcher.pid(), monitor, reason));
        links.forEach(link -> exitLink(mailbox.pid(), link, reason));
    }

    // --- what comes from other processes, of this node or others

    void onLink(Pid from, Pid to) {
        Mailbox mailbox = mailboxes.find(to);
        synchronized (this) {
            if (mailbox != null && !mailbox.isClosed()) {
                mailbox.bonds().links.add(from);
                return;
            }
        }
        exitLink(to, from, WellKnownAtoms.NOPROC);
    }

    void onUnlink(Pid from, Pid to) {
        Mailbox mailbox = mailboxes.find(to);
        if (mailbox != null) {
            synchronized (this) {
                mailbox.bonds().links.remove(from);
            }
        }
    }

    /** Ends a link; the acknowledgement has the same id, and goes only to a peer that has announced it. */
    void onUnlinkId(Connection connection, Term id, Pid from, Pid to) {
        onUnlink(from, to);
        if (connection.capabilities().has(Capability.UNLINK_ID)) {
            connection.sendOwed(null, out -> out.unlinkAck(id, to, from));
        }
    }

    /** A link's other end has ended. */
    void onExit(Pid from, Pid to, Term reason) {
        Mailbox mailbox = mailboxes.find(to);
        if (mailbox != null) {
            synchronized (this) {
                if (mailbox.bonds().links.remove(from)) {
                    mailbox.deliver(Tuple.of(WellKnownAtoms.EXIT, from, reason));
                }
            }
        }
    }

    /** Somebody has sent an exit signal. */
    void onExit2(Pid from, Pid to, Term reason) {
        Mailbox mailbox = mailboxes.find(to);
        if (mailbox == null) {
            return;
        }
        if (reason.equals(WellKnownAtoms.KILL)) {
            closed(mailbox, WellKnownAtoms.KILLED);
        } else {
            mailbox.deliver(Tuple.of(WellKnownAtoms.EXIT, from, reason));
        }
    }

    void onMonitor(Pid from, Term process, Ref monitor) {
        Mailbox mailbox = find(process);
        if (mailbox == null && SystemProcesses.isService(process)) {
            return; // ends with the node, which the watcher sees by itself
        }
        synchronized (this) {
            if (mailbox != null && !mailbox.isClosed()) {
                mailbox.bonds().watchers.put(monitor, new Watcher(from, process));
                return;
            }
        }
        down(process, from, monitor, WellKnownAtoms.NOPROC);
    }

    void onDemonitor(Term process, Ref monitor) {
        Mailbox mailbox = find(process);
        if (mailbox != null) {
            synchronized (this) {
                mailbox.bonds().watchers.remove(monitor);
            }
        }
    }

    /** @param process what has ended, where the monitor was made with it */
    void onDown(Pid to, Ref monitor, @Nullable Term process, Term reason) {
        Mailbox mailbox = mailboxes.find(to);
        if (mailbox != null) {
            synchronized (this) {
                Watched watched = mailbox.bonds().watching.remove(monitor);
                if (watched != null) {
                    mailbox.deliver(downMessage(monitor, watched, process, reason));
                }
            }
        }
    }

    void onConnectionLost(Connection connection) {
        NodeName peer = connection.peer();
        Atom lost = peer.atom();
        synchronized (this) {
            if (!node.peers().remove(connection)) {
                return;
            }
            for (Mailbox mailbox : mailboxes.all()) {
                LinksAndMonitors bonds = mailbox.bonds();
                bonds.watchers.values().removeIf(watcher -> watcher.pid().node().equals(lost));
                bonds.links.removeIf(link -> {
                    boolean gone = link.node().equals(lost);
                    if (gone) {
                        mailbox.deliver(Tuple.of(WellKnownAtoms.EXIT, link, WellKnownAtoms.NOCONNECTION));
                    }
                    return gone;
                });
                bonds.watching.entrySet().removeIf(watching -> {
                    boolean gone = watching.getValue().at().equals(peer);
                    if (gone) {
                        mailbox.deliver(
                                downMessage(watching.getKey(), watching.getValue(), null, WellKnownAtoms.NOCONNECTION));
                    }
                    return gone;
                });
                onNodeDown(mailbox, peer);
            }
        }
    }

    private synchronized void onNodeDown(Mailbox mailbox, NodeName peer) {
        if (mailbox.bonds().nodes.remove(peer)) {
            mailbox.deliver(Tuple.of(WellKnownAtoms.NODEDOWN, peer.atom()));
        }
    }

    // --- what goes to other processes, of this node or others

    private void exitLink(Pid from, Pid to, Term reason) {
        if (node.isSelf(to)) {
            onExit(from, to, reason);
        } else {
            tell(nameOf(to), out -> out.exit(from, to, reason));
        }
    }

    private void down(Term process, Pid to, Ref monitor, Term reason) {
        if (node.isSelf(to)) {
            onDown(to, monitor, null, reason);
        } else {
            tell(nameOf(to), out -> out.down(process, to, monitor, reason));
        }
    }

    private static Term downMessage(Ref monitor, Watched watched, @Nullable Term process, Term reason) {
        Term what = watched.process();
        if (what.equals(WellKnownAtoms.UNDEFINED) && process != null) {
            what = process; // spawned by the request that made the monitor
        } else if (what instanceof Atom name) {
            what = Tuple.of(name, watched.at().atom());
        }
        return Tuple.of(WellKnownAtoms.DOWN, monitor, WellKnownAtoms.PROCESS, what, reason);
    }

    private @Nullable Mailbox find(Term process) {
        if (process instanceof Pid pid) {
            return mailboxes.find(pid);
        }
        return process instanceof Atom name ? mailboxes.find(name) : null;
    }

    /** Sends over a connection, made where there is none; false where it cannot be made. */
    private boolean ask(NodeName at, Connection.FrameBody signal) {
        Connection connection = node.peers().connect(at);
        if (connection == null) {
            return false;
        }
        connection.sendOwed(null, signal);
        return true;
    }

    /** Sends over a connection if there is one: where there is none nobody waits for it. */
    private void tell(NodeName at, Connection.FrameBody signal) {
        Connection connection = node.peers().find(at.atom());
        if (connection != null) {
            connection.sendOwed(null, signal);
        }
    }

    private static NodeName nameOf(Pid pid) {
        return NodeName.parse(pid.node().name());
    }
}
