package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.AliasMode;
import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MailboxLimits;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.NodeType;
import dev.touchstone.messaging.databind.Databind;
import dev.touchstone.messaging.dist.Connection;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A mailbox of a {@link LocalNode}: an {@link Inbox} with a pid, and perhaps a name. What it asks of others goes to the {@link Router} and the
 * {@link SignalDispatcher}.
 */
final class LocalMailbox implements Mailbox {
    /*
     * Who calls:      any thread; the leader, and those that end connections, for what other processes do to this mailbox.
     * Invariants:     `closed` is set once, under the monitor of SignalDispatcher, which also guards `bonds`. A closed mailbox
     *                 has neither links nor monitors, and cannot be found.
     * Ordering:       that of its Inbox.
     * Failure:        what needs an open mailbox throws Closed where it is not, with the fault that ended the node, if one did.
     */
    private final LocalNode node;
    private final Pid pid;
    private final @Nullable Atom name;
    private final Inbox inbox;
    private final LinksAndMonitors bonds = new LinksAndMonitors();
    private final Set<Ref> aliases = ConcurrentHashMap.newKeySet(0);
    private volatile boolean closed;

    LocalMailbox(LocalNode node, Pid pid, @Nullable Atom name, MailboxLimits limits) {
        this.node = node;
        this.pid = pid;
        this.name = name;
        this.inbox = new Inbox(node.leader(), limits, this);
    }

    @Override
    public Pid pid() {
        return pid;
    }

    @Override
    public LocalNode node() {
        return node;
    }

    @Override
    public Optional<String> name() {
        return name == null ? Optional.empty() : Optional.of(name.name());
    }

    @Override
    public void send(Pid to, Term message) {
        checkOpen();
        node.router().send(pid, inbox, to, message, true);
    }

    @Override
    public boolean trySend(Pid to, Term message) {
        checkOpen();
        return node.router().send(pid, inbox, to, message, false);
    }

    @Override
    public boolean trySend(String to, NodeName at, Term message) {
        checkOpen();
        Atom registered = Atom.of(to);
        if (node.isSelf(at)) {
            return node.router().sendNamed(registered, message, 0);
        }
        Connection connection = node.peers().findOpen(at.atom());
        return connection != null && connection.trySend(pid, out -> out.regSend(pid, registered, message), 0);
    }

    @Override
    public void send(String to, NodeName at, Term message) {
        checkOpen();
        node.router().send(this, Atom.of(to), at, message);
    }

    @Override
    public <T> void send(Pid to, Databind<T> type, T value) {
        if (node.isSelf(to)) {
            send(to, type.toTerm(value));
        } else {
            checkOpen();
            node.router().sendEncoded(pid, inbox, to, Router.encoded(type, value));
        }
    }

    @Override
    public <T> void send(String to, NodeName at, Databind<T> type, T value) {
        if (node.isSelf(at)) {
            send(to, at, type.toTerm(value));
        } else {
            checkOpen();
            node.router().sendEncoded(this, Atom.of(to), at, Router.encoded(type, value));
        }
    }

    @Override
    public Term receive() throws InterruptedException {
        return Objects.requireNonNull(openOr(inbox.take(Long.MAX_VALUE)));
    }

    @Override
    public @Nullable Term receive(Duration timeout) throws InterruptedException {
        return openOr(inbox.take(Inbox.nanos(timeout)));
    }

    @Override
    public @Nullable Term receive(Predicate<? super Term> wanted, Duration timeout) throws InterruptedException {
        return openOr(inbox.take(wanted, null, Inbox.nanos(timeout)));
    }

    /** Takes a message as {@link #receive(Predicate, Duration)} does, but none that was seen before. */
    @Nullable
    Term receiveNew(Predicate<? super Term> wanted, PassedItems.Seen seen, long nanos) throws InterruptedException {
        return openOr(inbox.take(wanted, seen, nanos));
    }

    @Override
    public boolean isExitSignal(Term message) {
        return inbox.isExit(message);
    }

    private @Nullable Term openOr(@Nullable Term message) {
        if (message == null) {
            checkOpen();
            node.checkOpen(); // its mailboxes follow, and nobody waits for them any more
        }
        return message;
    }

    @Override
    public Ref newRef() {
        return node.newRef();
    }

    @Override
    public Term call(Pid server, Term request, Duration timeout) throws InterruptedException {
        return new Call(this, timeout).genServer(server, request);
    }

    @Override
    public Term call(String server, NodeName at, Term request, Duration timeout) throws InterruptedException {
        return new Call(this, timeout).genServer(Atom.of(server), at, request);
    }

    @Override
    public void reply(Term from, Term answer) {
        node.router().reply(pid, inbox, from, answer);
    }

    @Override
    public boolean tryReply(Term from, Term answer) {
        return node.router().tryReply(from, answer);
    }

    @Override
    public Term rpc(NodeName at, String module, String function, List<Term> arguments, Duration timeout)
            throws InterruptedException {
        return new Call(this, timeout).rpc(at, Atom.of(module), Atom.of(function), arguments);
    }

    @Override
    public Term erpc(NodeName at, String module, String function, List<Term> arguments, Duration timeout)
            throws InterruptedException {
        return new Call(this, timeout).erpc(at, Atom.of(module), Atom.of(function), arguments);
    }

    @Override
    public Ref monitor(Pid watched) {
        return node.signals().monitor(this, watched, watched.node(), null);
    }

    @Override
    public @Nullable Ref tryMonitor(Pid watched) {
        Connection connection = node.peers().find(watched.node());
        return connection == null && !node.isSelf(watched)
                ? null
                : node.signals().monitor(this, watched, watched.node(), null, connection);
    }

    @Override
    public Ref monitor(String name, NodeName at) {
        return node.signals().monitor(this, Atom.of(name), at.atom(), null);
    }

    @Override
    public Ref monitor(Pid watched, AliasMode alias) {
        return node.signals().monitor(this, watched, watched.node(), withMonitor(alias));
    }

    @Override
    public Ref monitor(String name, NodeName at, AliasMode alias) {
        return node.signals().monitor(this, Atom.of(name), at.atom(), withMonitor(alias));
    }

    private static AliasMode withMonitor(AliasMode mode) {
        if (Objects.requireNonNull(mode) == AliasMode.REPLY) {
            throw new IllegalArgumentException(
                    "monitor with an alias: mode=" + mode + " expected=EXPLICIT_UNALIAS, DEMONITOR or REPLY_DEMONITOR");
        }
        return mode;
    }

    @Override
    public boolean demonitor(Ref monitor, boolean flush) {
        boolean found = node.signals().demonitor(this, monitor);
        if (flush && !found) {
            discard(message -> SignalDispatcher.isDown(message, monitor), null);
        }
        return found;
    }

    /** Removes the unwanted messages that are here and were not seen before, unless another thread is receiving. */
    void discard(Predicate<? super Term> unwanted, PassedItems.@Nullable Seen seen) {
        boolean interrupted = Thread.interrupted();
        try {
            Term removed;
            do {
                removed = inbox.take(unwanted, seen, 0);
            } while (removed != null);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Ref alias(AliasMode mode) {
        checkOpen();
        Ref alias = node.newRef();
        node.mailboxes().alias(alias, this, withoutMonitor(mode));
        return alias;
    }

    private static AliasMode withoutMonitor(AliasMode mode) {
        if (Objects.requireNonNull(mode) == AliasMode.DEMONITOR || mode == AliasMode.REPLY_DEMONITOR) {
            throw new IllegalArgumentException(
                    "alias without a monitor: mode=" + mode + " expected=EXPLICIT_UNALIAS or REPLY");
        }
        return mode;
    }

    @Override
    public boolean unalias(Ref alias) {
        return node.mailboxes().unalias(alias, this);
    }

    @Override
    public void send(Ref alias, Term message) {
        checkOpen();
        node.router().send(this, alias, message);
    }

    @Override
    public void link(Pid other) {
        checkOpen();
        node.signals().link(this, other);
    }

    @Override
    public void unlink(Pid other) {
        node.signals().unlink(this, other);
    }

    @Override
    public void exit(Pid to, Term reason) {
        checkOpen();
        node.signals().exit(this, to, reason);
    }

    @Override
    public void monitorNodes(boolean on) {
        checkOpen();
        node.signals().monitorNodes(this, null, on);
    }

    @Override
    public void monitorNodes(NodeType type, boolean on) {
        checkOpen();
        node.signals().monitorNodes(this, type, on);
    }

    @Override
    public void monitorNode(NodeName watched) {
        checkOpen();
        node.signals().monitorNode(this, watched);
    }

    @Override
    public void close(Term reason) {
        node.signals().closed(this, reason);
    }

    /** Marks this mailbox closed, and ends all waiting for its messages. */
    void shut() {
        closed = true;
        inbox.flush();
        inbox.close();
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    /** Takes a signal, which is never dropped. */
    void deliver(Object signal) {
        inbox.put(signal);
    }

    /** Takes a message, or what is to be thrown in its place; returns false where it was dropped. */
    boolean accept(Object messageOrProblem, int bytes) {
        return inbox.deliver(messageOrProblem, bytes);
    }

    @Override
    public long dropped() {
        return inbox.dropped();
    }

    Inbox inbox() {
        return inbox;
    }

    /** Returns the links and monitors, which the monitor of {@link SignalDispatcher} guards. */
    LinksAndMonitors bonds() {
        return bonds;
    }

    /** Returns the set of this mailbox's aliases, which {@link Mailboxes} keeps. */
    Set<Ref> aliases() {
        return aliases;
    }

    void checkOpen() {
        if (closed) {
            throw new MessagingException.Closed("mailbox=" + pid, node.failure());
        }
    }

    @Override
    public String toString() {
        return pid + (name == null ? "" : " " + name);
    }
}
