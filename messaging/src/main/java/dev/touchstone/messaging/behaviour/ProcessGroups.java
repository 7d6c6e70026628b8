package dev.touchstone.messaging.behaviour;

import dev.touchstone.messaging.Mailbox;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.Node;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A scope of Erlang's process groups, as {@code pg:start_link(Scope)} makes one at an Erlang node: mailboxes of this node join groups, and
 * see the members of all nodes whose scope is known. Thread-safe; views are consistent after a while, as Erlang's are.
 *
 * <p>Scopes find each other over connections. This scope asks each node that it is connected to, once for each connection. Erlang's {@code
 * pg} asks nodes as they connect, but does not see hidden nodes, which this node is unless {@code hidden(false)}: have a hidden node
 * {@link #reach} the Erlang nodes whose groups it shares.
 *
 * @see <a href="https://www.erlang.org/doc/apps/kernel/pg.html">pg</a>
 */
public final class ProcessGroups implements AutoCloseable {
    /** The scope of {@code pg:start_link/0}. */
    public static final String DEFAULT_SCOPE = "pg";

    /*
     * Who calls:  any thread. The thread that reaches nodes connects to them, which the scope's thread must not wait for.
     * Invariants: groups and members belong to the thread of GroupScope, which puts them into concurrent maps for others to read.
     * Ordering:   a join has taken effect here when it returns, and elsewhere after a while.
     * Failure:    a node that cannot be reached is tried again every INTERVAL. When the scope ends, the reaching thread does.
     */
    private static final Logger LOG = System.getLogger(ProcessGroups.class.getName());
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Node node;
    private final String scope;
    private final GroupScope groups;
    private final RunningServer running;
    private final Set<NodeName> reached = ConcurrentHashMap.newKeySet();
    private final Set<NodeName> dialled =
            ConcurrentHashMap.newKeySet(); // each by a thread of its own, since it may not answer
    private final Thread reaching;

    private ProcessGroups(Node node, String scope, GroupScope groups, RunningServer running) {
        this.node = node;
        this.scope = scope;
        this.groups = groups;
        this.running = running;
        this.reaching = new Thread(this::reachAll, "touchstone-groups-" + scope);
        reaching.setDaemon(true);
    }

    /**
     * Starts a scope.
     *
     * @param node the node, at which no mailbox has the scope's name
     * @param scope the name, {@link #DEFAULT_SCOPE} as a rule
     * @return the scope
     * @throws InterruptedException if the thread is interrupted
     * @throws dev.touchstone.messaging.MessagingException.NameTaken if the node has a mailbox of that name
     */
    public static ProcessGroups start(Node node, String scope) throws InterruptedException {
        GroupScope groups = new GroupScope();
        RunningServer running = GenServer.start(node, groups, ServerOptions.DEFAULT.name(scope));
        ProcessGroups started = new ProcessGroups(node, scope, groups, running);
        started.reaching.start();
        return started;
    }

    /**
     * Shares groups with a node from now on: connects to it where there is no connection, and again after that was lost, in a thread of the
     * scope.
     *
     * @param peer the node, of Erlang or of Java
     */
    public void reach(NodeName peer) {
        reached.add(peer);
        LockSupport.unpark(reaching);
    }

    /**
     * Adds a member to a group. A member that joins twice is in the group twice. A member that ends leaves all its groups.
     *
     * @param group the name of the group, any term
     * @param member a mailbox of this node
     * @throws IllegalArgumentException if the member is of another node
     * @throws InterruptedException if the thread is interrupted
     * @throws MessagingException.CallFailed if the scope is closed
     */
    public void join(Term group, Pid member) throws InterruptedException {
        Term unused = ask(GroupScope.JOIN_LOCAL, group, member);
    }

    /**
     * Removes a member from a group, once.
     *
     * @param group the name of the group
     * @param member a mailbox of this node
     * @return whether it was in the group
     * @throws IllegalArgumentException if the member is of another node
     * @throws InterruptedException if the thread is interrupted
     * @throws MessagingException.CallFailed if the scope is closed
     */
    public boolean leave(Term group, Pid member) throws InterruptedException {
        return !ask(GroupScope.LEAVE_LOCAL, group, member).equals(GroupScope.NOT_JOINED);
    }

    private Term ask(Atom what, Term group, Pid member) throws InterruptedException {
        if (!member.node().equals(running.pid().node())) {
            throw new IllegalArgumentException("only a node's own mailboxes join and leave there: expected node="
                    + node.name() + " got=" + member);
        }
        try (Mailbox asking = node.mailbox()) {
            return asking.call(running.pid(), Tuple.of(what, group, member), CALL_TIMEOUT);
        }
    }

    /**
     * Returns the members of a group at all nodes that are known.
     *
     * @param group the name of the group
     * @return the members, unmodifiable; empty where the group has none
     */
    public List<Pid> members(Term group) {
        return groups.members().getOrDefault(group, List.of());
    }

    /**
     * Returns the members of a group at this node.
     *
     * @param group the name of the group
     * @return the members, unmodifiable; empty where the group has none
     */
    public List<Pid> localMembers(Term group) {
        return groups.localMembers().getOrDefault(group, List.of());
    }

    /**
     * Returns the groups that have members.
     *
     * @return the names, as they are now
     */
    public Set<Term> groups() {
        return Set.copyOf(groups.members().keySet());
    }

    /** Ends the scope. Other nodes see its members leave. */
    @Override
    public void close() {
        running.kill();
        LockSupport.unpark(reaching);
    }

    private void reachAll() {
        while (running.isAlive()) {
            try {
                Set<NodeName> connected = node.connected();
                for (NodeName peer : reached) {
                    if (!groups.remoteNodes().contains(peer.atom()) && running.isAlive()) {
                        reachNow(peer, connected.contains(peer));
                    }
                }
            } catch (MessagingException.Closed scopeHasEnded) {
                return;
            } catch (Throwable e) {
                logFailure(e);
            }
            LockSupport.parkNanos(this, INTERVAL_NANOS);
        }
    }

    private void logFailure(Throwable failure) {
        try {
            LOG.log(
                    Level.WARNING,
                    "nodes could not be reached, which is tried again: scope=" + scope + " node=" + node.name(),
                    failure);
        } catch (Throwable unreported) {
            // no memory for the message either; the thread goes on
        }
    }

    /** Has a node connected to, which the scope is told of; where there is a connection, its scope may have started since it was asked. */
    private void reachNow(NodeName peer, boolean isConnected) {
        if (isConnected) {
            boolean unused = groups.mailbox().trySend(running.pid(), Tuple.of(GroupScope.NODEUP, peer.atom()));
        } else if (dialled.add(peer)) {
            try {
                Thread dialling = new Thread(() -> dial(peer), reaching.getName() + "-" + peer);
                dialling.setDaemon(true);
                dialling.start();
            } catch (Throwable e) {
                dialled.remove(peer);
                throw e;
            }
        }
    }

    private void dial(NodeName peer) {
        try {
            node.connect(peer);
        } catch (IOException | MessagingException tryAgainLater) {
            // as long as it is to be reached
        } catch (Throwable e) {
            logFailure(e);
        } finally {
            dialled.remove(peer);
        }
    }

    @Override
    public String toString() {
        return "process groups of scope " + scope + " at " + node.name();
    }
}
