package dev.touchstone.messaging.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.messaging.AliasMode;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.NodeType;
import dev.touchstone.messaging.dist.Connection;
import dev.touchstone.messaging.dist.ConnectionEndedException;
import dev.touchstone.messaging.engine.LinksAndMonitors.Watched;
import dev.touchstone.messaging.engine.LinksAndMonitors.Watcher;
import dev.touchstone.messaging.handshake.Capability;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.stats.ConnectionEnd;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The links, monitors and exits of a node's mailboxes, with each other and with processes of other nodes. Thread-safe. */
final class SignalDispatcher {
    /*
     * Who calls:      threads of users, for what their mailboxes ask for; the leader, for what other nodes send; who ends a connection.
     * Invariants:     this object's monitor guards all LinksAndMonitors and the closing of mailboxes. A closed mailbox has those
     *                 only of which the other end was not told yet. A monitor is answered once: by whoever removes it from `watching`. A connection is taken out of use under the
     *                 monitor, so that no link over the next connection to that node is taken for one over the lost one. A pair is
     *                 in `links`, in `unlinking` or in neither. `accounts` has as many for a peer as there are links and monitors
     *                 that its processes have asked for.
     * Ordering:       a link and its frame, LINK, UNLINK_ID or the acknowledgement, change in one step under the monitor, so that frames
     *                 leave in the order of the states. Nobody waits under it: who may have to waits for room before, and writes after.
     * Failure:        signals for a lost connection are dropped; losing it answers its links and monitors. An end that a fault has
     *                 interrupted is gone on with (MailboxEnds).
     */
    private final LocalNode node;
    private final Mailboxes mailboxes;
    private final NodeMonitors nodeMonitors = new NodeMonitors();

    @GuardedBy("this")
    private final PeerAccounts accounts;

    private final AtomicLong unlinkIds = new AtomicLong();
    private final MailboxEnds ends = new MailboxEnds(this);

    SignalDispatcher(LocalNode node, Mailboxes mailboxes, Atom self) {
        this.node = node;
        this.mailboxes = mailboxes;
        this.accounts = new PeerAccounts(self);
    }

    // --- what this node's mailboxes ask for

    /**
     * Monitors a process.
     *
     * @param alias how long the monitor's reference is an alias of the mailbox; null for not at all
     */
    Ref monitor(LocalMailbox by, Term process, Atom at, @Nullable AliasMode alias) {
        by.checkOpen();
        Connection connection = node.isSelf(at) ? null : node.peers().connect(at);
        if (connection != null) {
            connection.awaitRoom(by.pid());
        }
        return monitor(by, process, at, alias, connection);
    }

    /**
     * Monitors a process as {@link #monitor(LocalMailbox, Term, Atom, AliasMode)} does, without waiting.
     *
     * @param connection to the process's node; null where that is this node, or cannot be reached
     */
    Ref monitor(LocalMailbox by, Term process, Atom at, @Nullable AliasMode alias, @Nullable Connection connection) {
        by.checkOpen();
        Ref monitor = node.newRef();
        if (alias != null) {
            mailboxes.alias(monitor, by, alias);
        }
        if (node.isSelf(at)) {
            expectDown(by, monitor, process, at);
            onMonitor(by.pid(), process, monitor);
            return monitor;
        }
        if (connection == null || !monitorOver(connection, by, process, monitor)) {
            mailboxes.monitorEnded(monitor);
            by.deliver(downMessage(monitor, new Watched(process, at), null, WellKnownAtoms.NOCONNECTION));
        }
        return monitor;
    }

    /**
     * Asks another node for a monitor. Where that node has no such monitors, this one supervises the connection only, as Erlang's does.
     *
     * @return false if the connection is not in use any more
     */
    private boolean monitorOver(Connection connection, LocalMailbox by, Term process, Ref monitor) {
        synchronized (this) {
            if (!isInUse(connection)) {
                return false;
            }
            checkOpen(by);
            by.bonds()
                    .watching
                    .put(monitor, new Watched(process, connection.peer().atom()));
            if (connection.capabilities().canMonitor(process)) {
                connection.addOwed(by.pid(), out -> out.monitor(by.pid(), process, monitor));
            }
        }
        connection.flush();
        return true;
    }

    private boolean isInUse(Connection connection) {
        return node.peers().find(connection.peer().atom()) == connection;
    }

    private static void checkOpen(LocalMailbox mailbox) {
        if (mailbox.isClosed()) {
            throw new MessagingException.Closed("mailbox=" + mailbox.pid());
        }
    }

    /** Has a monitor that was made elsewhere, with a spawned process, answered. */
    synchronized void expectDown(LocalMailbox by, Ref monitor, Term process, Atom at) {
        checkOpen(by);
        by.bonds().watching.put(monitor, new Watched(process, at));
    }

    /** Ends a monitor. Returns whether it was there: its message has not been delivered and will not be. */
    boolean demonitor(LocalMailbox by, Ref monitor) {
        Watched watched;
        synchronized (this) {
            watched = by.bonds().watching.remove(monitor);
        }
        mailboxes.monitorEnded(monitor);
        if (watched == null) {
            return false;
        }
        demonitor(by.pid(), monitor, watched);
        return true;
    }

    /** Ends a monitor. Nobody waits for that: whoever made the monitor has waited. */
    void demonitor(Pid by, Ref monitor, Watched watched) {
        if (node.isSelf(watched.at())) {
            onDemonitor(by.node(), watched.process(), monitor);
            return;
        }
        Connection connection = node.peers().find(watched.at());
        if (connection != null && connection.capabilities().canMonitor(watched.process())) {
            connection.sendOwed(by, out -> out.demonitor(by, watched.process(), monitor));
        }
    }

    void link(LocalMailbox by, Pid other) {
        if (node.isSelf(other)) {
            synchronized (this) {
                checkOpen(by);
                if (by.bonds().links.putIfAbsent(other, false) == null) {
                    tellOrUnlink(by, other, () -> onLink(by.pid(), other));
                }
            }
            return;
        }
        Connection connection = node.peers().connect(other.node());
        if (connection != null) {
            connection.awaitRoom(by.pid());
        }
        synchronized (this) {
            checkOpen(by);
            if (by.bonds().links.containsKey(other)) {
                return;
            }
            if (connection == null || !isInUse(connection)) {
                by.inbox().exited(other, WellKnownAtoms.NOCONNECTION, true);
                return;
            }
            by.bonds().links.put(other, false);
            by.bonds().unlinking.remove(other); // its acknowledgement means nothing any more
            tellOrUnlink(by, other, () -> connection.addOwed(by.pid(), out -> out.link(by.pid(), other)));
        }
        connection.flush();
    }

    /** Tells the other end of a link; where that fails, removes the link at this end. */
    @GuardedBy("this")
    private void tellOrUnlink(LocalMailbox by, Pid other, Runnable tell) {
        boolean isTold = false;
        try {
            tell.run();
            isTold = true;
        } finally {
            if (!isTold) {
                by.bonds().links.remove(other);
            }
        }
    }

    /** Ends a link. Nobody waits for that: whoever made the link has waited. */
    void unlink(LocalMailbox by, Pid other) {
        if (node.isSelf(other)) {
            synchronized (this) {
                if (removeLink(by, other)) {
                    onUnlink(by.pid(), other);
                }
            }
            return;
        }
        Connection connection = node.peers().find(other.node());
        if (connection == null) {
            return; // whoever takes a connection out of use ends its links
        }
        synchronized (this) {
            if (!isInUse(connection) || !removeLink(by, other)) {
                return;
            }
            long id = unlinkIds.incrementAndGet();
            if (connection.capabilities().has(Capability.UNLINK_ID)) {
                by.bonds().unlinking.put(other, id);
            }
            connection.addOwed(by.pid(), out -> out.unlink(id, by.pid(), other));
        }
        connection.flush();
    }

    synchronized List<Pid> links(LocalMailbox of) {
        return List.copyOf(of.bonds().links.keySet());
    }

    void exit(LocalMailbox by, Pid to, Term reason) {
        if (node.isSelf(to)) {
            onExit2(by.pid(), to, reason);
            LocalMailbox here = mailboxes.find(to);
            if (here != null) {
                here.inbox().awaitRoomForSignals();
            }
            return;
        }
        Connection connection = node.peers().connect(to.node());
        if (connection != null) {
            connection.send(by.pid(), out -> out.exit2(by.pid(), to, reason));
        }
    }

    void monitorNode(LocalMailbox by, NodeName watched) {
        synchronized (this) {
            by.bonds().nodes.add(watched);
        }
        if (!node.isSelf(watched) && node.peers().connect(watched.atom()) == null) {
            onNodeDown(by, watched);
        }
    }

    /**
     * Starts or stops to tell a mailbox of nodes that come and go.
     *
     * @param type nodes to tell of; null for all of them, told without properties
     */
    synchronized void monitorNodes(LocalMailbox by, @Nullable NodeType type, boolean on) {
        if (!by.isClosed()) {
            nodeMonitors.set(by, type, on);
        }
    }

    /** Tells of a new connection, from which nothing was read yet; nothing where it has ended already. */
    synchronized void onConnected(Connection connection) {
        if (node.peers().isInUse(connection)) {
            nodeMonitors.nodeUp(connection.peer(), connection.isHidden());
        }
    }

    void closed(LocalMailbox mailbox, Term reason) {
        closed(mailbox, reason, Connection::sendOwed);
    }

    /** Closes a mailbox as {@link #closed(LocalMailbox, Term)} does, but waits for room, so that an end with a large reason is not owed. */
    void closedAndAwaited(LocalMailbox mailbox, Term reason) {
        closed(mailbox, reason, Connection::send);
    }

    /** The way of a frame that tells of an end: owed to its connection, or with a wait for room. */
    interface Sending {
        void send(Connection connection, @Nullable Pid sender, Connection.FrameBody body);
    }

    private void closed(LocalMailbox mailbox, Term reason, Sending sending) {
        MailboxEnds.End end;
        synchronized (this) {
            end = mailbox.isClosed() ? null : ends.begin(mailbox, reason);
        }
        if (end != null) {
            ends.tell(mailbox, end, sending);
        }
    }

    /** Shuts a mailbox, once or more often. */
    @GuardedBy("this")
    void shut(LocalMailbox mailbox) {
        mailboxes.remove(mailbox); // first: shutting lets connections go on that the full mailbox has stopped
        mailbox.shut();
        nodeMonitors.remove(mailbox);
    }

    /** Goes on with the ends of mailboxes that a fault has interrupted. */
    void finishEnds() {
        ends.finish();
    }

    // --- what comes from other processes, of this node or others

    /**
     * Links a mailbox, unless its own unlink is on its way: the other end then receives that behind its link, and neither is linked. Where
     * the mailbox is full the connection waits: else a peer that links and disconnects, again and again, would fill it with exits.
     */
    void onLink(Pid from, Pid to) {
        LocalMailbox mailbox = mailboxes.find(to);
        synchronized (this) {
            if (mailbox != null && !mailbox.isClosed()) {
                LinksAndMonitors bonds = mailbox.bonds();
                if (!bonds.unlinking.containsKey(from) && !bonds.links.containsKey(from)) {
                    accounts.add(from);
                    mailbox.inbox().holdBack();
                    bonds.links.put(from, !node.isSelf(from));
                }
                return;
            }
        }
        exitLink(to, from, WellKnownAtoms.NOPROC, Connection::sendOwed);
    }

    synchronized void onUnlink(Pid from, Pid to) {
        LocalMailbox mailbox = mailboxes.find(to);
        if (mailbox != null) {
            boolean unused = removeLink(mailbox, from);
        }
    }

    /** Removes a link; returns whether it was there. */
    @GuardedBy("this")
    boolean removeLink(LocalMailbox mailbox, Pid other) {
        Boolean isAsked = mailbox.bonds().links.remove(other);
        uncount(other, Boolean.TRUE.equals(isAsked));
        return isAsked != null;
    }

    @GuardedBy("this")
    private void uncount(Pid link, boolean isAsked) {
        if (isAsked) {
            accounts.remove(link);
        }
    }

    /** Ends a link; the acknowledgement has the same id, and goes only to a peer that has announced it. */
    void onUnlinkId(Connection connection, Term id, Pid from, Pid to) {
        synchronized (this) {
            onUnlink(from, to);
            if (connection.capabilities().has(Capability.UNLINK_ID)) {
                connection.addOwed(to, out -> out.unlinkAck(id, to, from));
            }
        }
        connection.flush();
    }

    /** Ends an unlink of ours; an older id, or one that was never sent, means nothing. */
    synchronized void onUnlinkAck(Term id, Pid from, Pid to) {
        LocalMailbox mailbox = mailboxes.find(to);
        if (mailbox != null && id instanceof Int number) {
            boolean unused = mailbox.bonds().unlinking.remove(from, number.value());
        }
    }

    /** Ends a link whose other end has ended, and tells the mailbox. */
    void onExit(Pid from, Pid to, Term reason) {
        LocalMailbox mailbox = mailboxes.find(to);
        if (mailbox != null) {
            synchronized (this) {
                if (mailbox.bonds().links.containsKey(from)) {
                    mailbox.inbox().exited(from, reason, true);
                    boolean unused = removeLink(mailbox, from);
                }
            }
        }
    }

    /** Takes an exit signal that a process has sent: {@code kill} closes the mailbox, any other reason is told to it. */
    void onExit2(Pid from, Pid to, Term reason) {
        LocalMailbox mailbox = mailboxes.find(to);
        if (mailbox == null) {
            return;
        }
        if (reason.equals(WellKnownAtoms.KILL) && mailbox.inbox().receiver() == null) {
            closed(mailbox, WellKnownAtoms.KILLED);
        } else {
            mailbox.inbox().exited(from, reason, false);
        }
    }

    void onMonitor(Pid from, Term process, Ref monitor) {
        LocalMailbox mailbox = find(process);
        if (mailbox == null && SystemProcesses.isService(process)) {
            return; // ends with the node, which the watcher sees by itself
        }
        synchronized (this) {
            if (mailbox != null && !mailbox.isClosed()) {
                Watcher before = mailbox.bonds().watchers.get(monitor);
                if (before == null || before.pid().node().equals(from.node())) { // else another node's reference
                    accounts.add(from);
                    uncount(mailbox.bonds().watchers.put(monitor, new Watcher(from, process)));
                }
                return;
            }
        }
        down(
                process,
                process instanceof Pid pid ? pid : null,
                from,
                monitor,
                WellKnownAtoms.NOPROC,
                Connection::sendOwed);
    }

    /** Ends a monitor that a process of {@code peer} has made; another's stays. */
    void onDemonitor(Atom peer, Term process, Ref monitor) {
        LocalMailbox mailbox = find(process);
        if (mailbox != null) {
            synchronized (this) {
                Watcher watcher = mailbox.bonds().watchers.get(monitor);
                if (watcher != null && watcher.pid().node().equals(peer)) {
                    removeWatcher(mailbox, monitor);
                }
            }
        }
    }

    @GuardedBy("this")
    void removeWatcher(LocalMailbox mailbox, Ref monitor) {
        uncount(mailbox.bonds().watchers.remove(monitor));
    }

    @GuardedBy("this")
    private void uncount(@Nullable Watcher removed) {
        if (removed != null) {
            accounts.remove(removed.pid());
        }
    }

    /**
     * Answers a monitor of a mailbox, unless what it watches is not at {@code peer}.
     *
     * @param process what has ended, where the monitor was made with it
     */
    void onDown(Atom peer, Pid to, Ref monitor, @Nullable Term process, Term reason) {
        LocalMailbox mailbox = mailboxes.find(to);
        if (mailbox != null) {
            synchronized (this) {
                Watched watched = mailbox.bonds().watching.get(monitor);
                if (watched != null && watched.at().equals(peer)) {
                    mailbox.deliver(downMessage(monitor, watched, process, reason));
                    mailbox.bonds().watching.remove(monitor);
                    mailboxes.monitorEnded(monitor);
                }
            }
        }
    }

    /** Tells a mailbox that a process was not spawned, where it still waits for the end of that process. */
    void onSpawnReply(Atom peer, Pid to, Ref request, Term result) {
        LocalMailbox mailbox = mailboxes.find(to);
        if (mailbox != null && result instanceof Atom) {
            synchronized (this) {
                Watched watched = mailbox.bonds().watching.get(request);
                if (watched != null && watched.at().equals(peer)) {
                    mailbox.deliver(Tuple.of(WellKnownAtoms.SPAWN_REPLY, request, WellKnownAtoms.ERROR, result));
                }
            }
        }
    }

    /** Ends links and monitors over a connection. Returns how it ended, or null where it was not in use. */
    @Nullable
    ConnectionEnd onConnectionLost(Connection connection, IOException cause) {
        NodeName peer = connection.peer();
        Atom lost = peer.atom();
        synchronized (this) {
            if (!node.peers().isInUse(connection)) {
                return null;
            }
            for (LocalMailbox mailbox : mailboxes.all()) {
                LinksAndMonitors bonds = mailbox.bonds();
                bonds.watchers.values().removeIf(watcher -> watcher.pid().node().equals(lost));
                bonds.unlinking.keySet().removeIf(other -> other.node().equals(lost));
                bonds.links.keySet().removeIf(link -> {
                    boolean gone = link.node().equals(lost);
                    if (gone) {
                        mailbox.inbox().exited(link, WellKnownAtoms.NOCONNECTION, true);
                    }
                    return gone;
                });
                bonds.watching.entrySet().removeIf(watching -> {
                    boolean gone = watching.getValue().at().equals(lost);
                    if (gone) {
                        mailboxes.monitorEnded(watching.getKey());
                        mailbox.deliver(
                                downMessage(watching.getKey(), watching.getValue(), null, WellKnownAtoms.NOCONNECTION));
                    }
                    return gone;
                });
                onNodeDown(mailbox, peer);
            }
            ends.forget(lost);
            accounts.clear(lost);
            nodeMonitors.nodeDown(peer, connection.isHidden(), ConnectionEndedException.kindOf(cause));
            return node.peers().remove(connection, cause); // last: where a fault interrupts this, it can be done again
        }
    }

    private synchronized void onNodeDown(LocalMailbox mailbox, NodeName peer) {
        if (mailbox.bonds().nodes.remove(peer)) {
            mailbox.deliver(Tuple.of(WellKnownAtoms.NODEDOWN, peer.atom()));
        }
    }

    // --- what goes to other processes, of this node or others

    void exitLink(Pid from, Pid to, Term reason, Sending sending) {
        if (node.isSelf(to)) {
            onExit(from, to, reason);
            return;
        }
        Connection connection = node.peers().find(to.node());
        if (connection != null) {
            sendReason(connection, from, reason, sending, sent -> out -> out.exit(from, to, sent));
        }
    }

    /**
     * Tells a watcher that what it watches has ended.
     *
     * @param by the mailbox that is watched; null where the watcher has named one that is not there
     */
    void down(Term process, @Nullable Pid by, Pid to, Ref monitor, Term reason, Sending sending) {
        if (node.isSelf(to)) {
            onDown(to.node(), to, monitor, null, reason);
            return;
        }
        Connection connection = node.peers().find(to.node());
        if (connection != null && connection.capabilities().canMonitor(process)) {
            sendReason(connection, by, reason, sending, sent -> out -> out.down(process, to, monitor, sent));
        }
    }

    /** Sends why a mailbox has ended; a reason that no frame can hold becomes {@code system_limit}, so that the end itself is told. */
    private static void sendReason(
            Connection connection,
            @Nullable Pid sender,
            Term reason,
            Sending sending,
            Function<Term, Connection.FrameBody> signal) {
        try {
            sending.send(connection, sender, signal.apply(reason));
        } catch (IllegalArgumentException tooLarge) {
            sending.send(connection, sender, signal.apply(WellKnownAtoms.SYSTEM_LIMIT));
        }
    }

    /** Returns whether a message tells of the end of what a monitor watched. */
    static boolean isDown(Term message, Ref monitor) {
        return message instanceof Tuple down
                && down.size() == 5
                && down.get(0).equals(WellKnownAtoms.DOWN)
                && down.get(1).equals(monitor);
    }

    private static Term downMessage(Ref monitor, Watched watched, @Nullable Term process, Term reason) {
        Term what = watched.process();
        if (what.equals(WellKnownAtoms.UNDEFINED) && process != null) {
            what = process; // spawned by the request that made the monitor
        } else if (what instanceof Atom name) {
            what = Tuple.of(name, watched.at());
        }
        return Tuple.of(WellKnownAtoms.DOWN, monitor, WellKnownAtoms.PROCESS, what, reason);
    }

    private @Nullable LocalMailbox find(Term process) {
        if (process instanceof Pid pid) {
            return mailboxes.find(pid);
        }
        return process instanceof Atom name ? mailboxes.find(name) : null;
    }
}
