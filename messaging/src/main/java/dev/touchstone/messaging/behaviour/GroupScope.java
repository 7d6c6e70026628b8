package dev.touchstone.messaging.behaviour;

import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The process of one scope of process groups, which speaks to the scope's processes at other nodes as Erlang's {@code pg} does.
 *
 * <pre>
 *  {discover, Scope}                          asks for the groups of the receiver; who does not know the sender yet asks back
 *  {'$gen_cast', {sync, Scope, [{Group, [Pid]}]}}   all members at the sender's node, in answer to that
 *  {join, Scope, Group, Pid or [Pid]}         members that have joined
 *  {leave, Scope, Pid or [Pid], [Group]}      members that have left: once for each time that a group stands there
 * </pre>
 */
final class GroupScope extends GenServer {
    /*
     * Who calls:  the scope's thread; other threads read the three views.
     * Invariants: `members` has, for each group, the local members and those of each remote scope, a member once for each time it joined;
     *             a group without members has no entry. A node has one remote scope, the one that spoke last, which is monitored for as
     *             long as it is known; its members are of its node.
     * Ordering:   a view is changed before a join is answered, so a mailbox that joined finds itself. A remote scope that is new, or has
     *             missed a change, is sent no changes until it is sent all groups, which contain them: Erlang's scope ends at a leave of
     *             a group that it does not know. All scopes are asked by this thread, after it has handled the loss of the connection
     *             before, so that none that has just forgotten this one is taken for one that knows it.
     * Waiting:    the thread neither connects to a node nor waits for room, so that no peer can stop the scope for the others.
     *             Changes of other nodes become visible at most once in each SHOW_INTERVAL, since a list of all members is made anew.
     * Failure:    a message of another form is passed over: it must not end the scope. A remote scope whose node is lost is forgotten with
     *             its members, and asked anew at the next connection. One with more groups than there is memory for is `refused`: it has
     *             no members until it is new.
     */
    static final Atom DISCOVER = Atom.of("discover");
    static final Atom JOIN_LOCAL = Atom.of("join_local");
    static final Atom LEAVE_LOCAL = Atom.of("leave_local");
    static final Atom NODEUP = Atom.of("nodeup");
    static final Atom NOT_JOINED = Atom.of("not_joined");

    private static final Atom JOIN = Atom.of("join");
    private static final Atom LEAVE = Atom.of("leave");
    private static final Atom NOT_LOCAL = Atom.of("not_local");
    private static final Atom SYNC = Atom.of("sync");
    private static final Atom UNKNOWN_REQUEST = Atom.of("unknown_request");
    private static final Logger LOG = System.getLogger(GroupScope.class.getName());
    private static final Duration SYNC_INTERVAL = Duration.ofMillis(500);
    private static final Duration SHOW_INTERVAL = Duration.ofMillis(20);
    private static final long MAX_BYTES_OF_ALL = Runtime.getRuntime().maxMemory() >> 2;
    private static final long MAX_BYTES_OF_NODE = MAX_BYTES_OF_ALL >> 2;

    /** A member of this node: the monitor of its end, and its groups, each once for each time it joined. */
    private record Local(Ref monitor, List<Term> groups) {}

    /** The scope of another node, with its members. */
    private static final class Remote {
        final Pid scope;
        final Ref monitor;
        RemoteGroups groups = new RemoteGroups(MAX_BYTES_OF_NODE);
        boolean isRefused;
        boolean missesChanges = true; // is sent none
        long nextSync = System.nanoTime(); // the earliest time at which it is sent all groups

        Remote(Pid scope, Ref monitor) {
            this.scope = scope;
            this.monitor = monitor;
        }
    }

    private final Map<Pid, Local> locals = new HashMap<>();
    private final Map<Atom, Remote> remotes = new ConcurrentHashMap<>(); // by their nodes
    private final Set<Remote> due = new HashSet<>(); // to be sent all groups
    private final Set<NodeName> unasked = new HashSet<>(); // to be sent `discover`
    private final Map<Term, List<Pid>> localGroups = new HashMap<>();
    private final Set<Term> changed = new HashSet<>(); // groups that are to be shown
    private long nextShow = System.nanoTime();

    private final Map<Term, List<Pid>> members = new ConcurrentHashMap<>();
    private final Map<Term, List<Pid>> localMembers = new ConcurrentHashMap<>();

    /** Returns the members of each group, in unmodifiable lists. May be read by any thread. */
    Map<Term, List<Pid>> members() {
        return members;
    }

    /** Returns this node's members of each group, in unmodifiable lists. May be read by any thread. */
    Map<Term, List<Pid>> localMembers() {
        return localMembers;
    }

    /** Returns the nodes whose scope is known. May be read by any thread. */
    Set<Atom> remoteNodes() {
        return remotes.keySet();
    }

    @Override
    protected void init() {
        mailbox().monitorNodes(true);
        unasked.addAll(mailbox().node().connected());
        catchUp();
    }

    @Override
    boolean waitsToReply() {
        return false; // a peer that does not read must not hold up the scope
    }

    @Override
    protected Term handleCall(Term request, From from) {
        Term answer = change(request);
        catchUp();
        return answer;
    }

    private Term change(Term request) {
        List<Pid> pids = request instanceof Tuple call && call.size() == 3 ? pids(call.get(2)) : null;
        if (pids == null) {
            return Tuple.of(Atom.ERROR, UNKNOWN_REQUEST);
        }
        Tuple call = (Tuple) request;
        Term group = call.get(1);
        for (Pid pid : pids) {
            if (!pid.node().equals(mailbox().pid().node())) {
                return Tuple.of(Atom.ERROR, Tuple.of(NOT_LOCAL, pid));
            }
        }
        if (call.get(0).equals(JOIN_LOCAL)) {
            pids.forEach(pid -> joinLocal(group, pid));
            show(group);
            broadcast(Tuple.of(JOIN, mailbox().pid(), group, call.get(2)));
            return Atom.OK;
        }
        return call.get(0).equals(LEAVE_LOCAL) ? leaveLocal(group, pids) : Tuple.of(Atom.ERROR, UNKNOWN_REQUEST);
    }

    private void joinLocal(Term group, Pid pid) {
        locals.computeIfAbsent(pid, joined -> new Local(mailbox().monitor(joined), new ArrayList<>()))
                .groups
                .add(group);
        localGroups.computeIfAbsent(group, joined -> new ArrayList<>()).add(pid);
    }

    private Term leaveLocal(Term group, List<Pid> pids) {
        List<Term> left = new ArrayList<>();
        for (Pid pid : pids) {
            Local local = locals.get(pid);
            if (local != null && local.groups.remove(group)) {
                remove(localGroups, group, pid);
                left.add(pid);
                if (local.groups.isEmpty()) {
                    locals.remove(pid);
                    mailbox().demonitor(local.monitor);
                }
            }
        }
        if (left.isEmpty()) {
            return NOT_JOINED;
        }
        show(group);
        broadcast(Tuple.of(LEAVE, mailbox().pid(), ErlList.of(left), ErlList.of(group)));
        return Atom.OK;
    }

    private static void remove(Map<Term, List<Pid>> groups, Term group, Pid pid) {
        groups.computeIfPresent(group, (name, pids) -> {
            pids.remove(pid);
            return pids.isEmpty() ? null : pids;
        });
    }

    @Override
    protected void handleCast(Term request) {
        if (request instanceof Tuple sync && sync.is(SYNC, 3) && sync.get(1) instanceof Pid scope) {
            RemoteGroups groups = groups(sync.get(2), scope.node());
            Remote remote = groups == null ? null : remote(scope);
            if (groups != null && remote != null && !remote.isRefused) {
                changed.addAll(remote.groups.names());
                changed.addAll(groups.names());
                remote.groups = groups;
                refuseTooMuch(remote);
            }
        }
        catchUp();
    }

    /**
     * Returns the remote scope that has a pid. Where it is new, it replaces the one that its node had before, and is to be sent all groups.
     *
     * @return the scope; null where its node is this one or is not connected
     */
    private @Nullable Remote remote(Pid scope) {
        Remote known = remotes.get(scope.node());
        if (known != null && known.scope.equals(scope)) {
            return known;
        }
        Ref monitor =
                scope.node().equals(mailbox().pid().node()) ? null : mailbox().tryMonitor(scope);
        if (monitor == null) {
            return null;
        }
        Remote made = new Remote(scope, monitor);
        if (known != null) {
            made.nextSync = known.nextSync; // else a peer with ever new scopes would be sent all groups as often
            mailbox().demonitor(known.monitor);
            forget(known);
        }
        remotes.put(scope.node(), made);
        due.add(made);
        return made;
    }

    private void forget(Remote remote) {
        remotes.remove(remote.scope.node());
        due.remove(remote);
        changed.addAll(remote.groups.names());
    }

    @Override
    protected void handleInfo(Term message) {
        if (message instanceof Tuple tuple && tuple.size() >= 2) {
            handleInfo(tuple);
        }
        catchUp();
    }

    private void handleInfo(Tuple message) {
        if (message.is(DISCOVER, 2) && message.get(1) instanceof Pid scope) {
            discovered(scope);
        } else if (message.is(JOIN, 4)) {
            List<Pid> pids = pids(message.get(3));
            Remote remote = pids == null ? null : remoteOf(message.get(1), pids);
            if (remote != null && pids != null) {
                remote.groups.add(message.get(2), pids);
                changed.add(message.get(2));
                refuseTooMuch(remote);
            }
        } else if (message.is(LEAVE, 4)) {
            List<Pid> pids = pids(message.get(2));
            Remote remote = pids == null ? null : remoteOf(message.get(1), pids);
            if (remote != null && pids != null && message.get(3) instanceof ErlList groups) {
                changed.addAll(remote.groups.remove(pids, groups.asList()));
            }
        } else if (message.is(NODEUP, 2)) {
            ask(message.get(1));
        } else if (message.is(OtpAtoms.DOWN, 5) && message.get(3) instanceof Pid ended) {
            ended(ended, message.get(1));
        }
    }

    private void discovered(Pid scope) {
        Remote before = remotes.get(scope.node());
        Remote remote = remote(scope);
        if (remote != null) {
            due.add(remote);
            if (!remote.equals(before)) {
                ask(scope.node());
            }
        }
    }

    /** Has the scope of a node asked for its groups; nothing where the node is not connected. */
    private void ask(Term node) {
        for (NodeName connected : mailbox().node().connected()) {
            if (connected.atom().equals(node)) {
                unasked.add(connected);
            }
        }
    }

    /** Returns the remote scope that sent a change; null where it is unknown or refused, or the members are of another node. */
    private @Nullable Remote remoteOf(Term scope, List<Pid> members) {
        Remote remote = scope instanceof Pid pid ? remotes.get(pid.node()) : null;
        boolean mayChange = remote != null
                && !remote.isRefused
                && remote.scope.equals(scope)
                && areAllOf(remote.scope.node(), members);
        return mayChange ? remote : null;
    }

    /** Takes no more groups of a remote scope that has more than there is memory for. */
    private void refuseTooMuch(Remote remote) {
        long bytes = remote.groups.bytes();
        long all = remotes.values().stream()
                .mapToLong(known -> known.groups.bytes())
                .sum();
        if (bytes <= MAX_BYTES_OF_NODE && all <= MAX_BYTES_OF_ALL) {
            return;
        }
        changed.addAll(remote.groups.names());
        remote.groups = new RemoteGroups(MAX_BYTES_OF_NODE);
        remote.isRefused = true;
        LOG.log(
                Level.WARNING,
                "groups take too much memory, and are not seen until their scope or its connection is new: scope="
                        + remote.scope
                        + " bytes=" + bytes + " expected at most=" + MAX_BYTES_OF_NODE + " all scopes=" + all
                        + " expected at most=" + MAX_BYTES_OF_ALL);
    }

    private void ended(Pid ended, Term monitor) {
        Remote remote = remotes.get(ended.node());
        Local local = locals.get(ended);
        if (remote != null && remote.monitor.equals(monitor)) {
            forget(remote);
        } else if (local != null && local.monitor.equals(monitor)) {
            locals.remove(ended);
            for (Term group : local.groups) {
                remove(localGroups, group, ended);
                show(group);
            }
            broadcast(Tuple.of(LEAVE, mailbox().pid(), ended, ErlList.of(local.groups)));
        }
    }

    /** Makes a group's members visible to other threads. */
    private void show(Term group) {
        List<Pid> here = localGroups.getOrDefault(group, List.of());
        List<Pid> all = new ArrayList<>(here);
        for (Remote remote : remotes.values()) {
            all.addAll(remote.groups.members(group));
        }
        put(localMembers, group, here);
        put(members, group, all);
    }

    private static void put(Map<Term, List<Pid>> view, Term group, List<Pid> pids) {
        if (pids.isEmpty()) {
            view.remove(group);
        } else {
            view.put(group, List.copyOf(pids));
        }
    }

    /** Tells all remote scopes of a change. */
    private void broadcast(Term message) {
        for (Remote remote : remotes.values()) {
            if (!remote.missesChanges && !mailbox().trySend(remote.scope, message)) {
                remote.missesChanges = true;
                due.add(remote);
                remote.nextSync = System.nanoTime() + SYNC_INTERVAL.toNanos();
            }
        }
    }

    /** Sends what is to be sent and has room. To be called at the end of a handler. */
    private void catchUp() {
        sendGroups();
        if (!unasked.isEmpty()) {
            Set<NodeName> connected = mailbox().node().connected();
            String name = mailbox().name().orElseThrow();
            Term discover = Tuple.of(DISCOVER, mailbox().pid());
            unasked.removeIf(node -> !connected.contains(node) || mailbox().trySend(name, node, discover));
        }
        showChanges();
        if (!changed.isEmpty()) {
            timeout(SHOW_INTERVAL);
        } else if (!due.isEmpty() || !unasked.isEmpty()) {
            timeout(SYNC_INTERVAL);
        }
    }

    private void showChanges() {
        if (System.nanoTime() - nextShow >= 0) {
            changed.forEach(this::show);
            changed.clear();
            nextShow = System.nanoTime() + SHOW_INTERVAL.toNanos();
        }
    }

    /** Sends all groups to the remote scopes that it is time for; before they are asked, since they ask back for groups that they lack. */
    private void sendGroups() {
        long now = System.nanoTime();
        List<Remote> ready =
                due.stream().filter(remote -> now - remote.nextSync >= 0).collect(Collectors.toList());
        if (ready.isEmpty()) {
            return;
        }
        List<Term> groups = new ArrayList<>();
        localGroups.forEach((group, pids) -> groups.add(Tuple.of(group, ErlList.of(pids))));
        Term sync = Tuple.of(OtpAtoms.GEN_CAST, Tuple.of(SYNC, mailbox().pid(), ErlList.of(groups)));
        for (Remote remote : ready) {
            remote.nextSync = now + SYNC_INTERVAL.toNanos();
            if (mailbox().trySend(remote.scope, sync)) {
                remote.missesChanges = false;
                due.remove(remote);
            }
        }
    }

    private static boolean areAllOf(Atom node, List<Pid> pids) {
        for (Pid pid : pids) {
            if (!pid.node().equals(node)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the pids that a pid or a list of pids is; null where it is neither. */
    private static @Nullable List<Pid> pids(Term given) {
        if (given instanceof Pid pid) {
            return List.of(pid);
        }
        if (!(given instanceof ErlList list) || !list.isProper()) {
            return null;
        }
        List<Pid> pids = new ArrayList<>();
        for (Term element : list.asList()) {
            if (!(element instanceof Pid pid)) {
                return null;
            }
            pids.add(pid);
        }
        return pids;
    }

    /** Returns the groups of a {@code sync} from a node; null where it has another form, or members of other nodes. */
    private static @Nullable RemoteGroups groups(Term given, Atom node) {
        if (!(given instanceof ErlList list) || !list.isProper()) {
            return null;
        }
        RemoteGroups groups = new RemoteGroups(MAX_BYTES_OF_NODE);
        for (Term element : list.asList()) {
            List<Pid> pids = element instanceof Tuple pair && pair.size() == 2 ? pids(pair.get(1)) : null;
            if (pids == null || !areAllOf(node, pids)) {
                return null;
            }
            groups.add(((Tuple) element).get(0), pids);
        }
        return groups;
    }
}
