package dev.touchstone.messaging.behaviour;

import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
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
     *             a group without members has no entry. A remote scope is monitored for as long as it is known.
     * Ordering:   a view is changed before a join is answered, so a mailbox that joined finds itself.
     * Failure:    a message of another form is passed over: it must not end the scope. A remote scope whose node is lost is forgotten with
     *             its members, and discovered anew by ProcessGroups.
     */
    static final Atom DISCOVER = Atom.of("discover");
    static final Atom JOIN_LOCAL = Atom.of("join_local");
    static final Atom LEAVE_LOCAL = Atom.of("leave_local");
    static final Atom NOT_JOINED = Atom.of("not_joined");

    private static final Atom JOIN = Atom.of("join");
    private static final Atom LEAVE = Atom.of("leave");
    private static final Atom NOT_LOCAL = Atom.of("not_local");
    private static final Atom SYNC = Atom.of("sync");
    private static final Atom UNKNOWN_REQUEST = Atom.of("unknown_request");

    /** A member of this node: the monitor of its end, and its groups, each once for each time it joined. */
    private record Local(Ref monitor, List<Term> groups) {}

    private record Remote(Ref monitor, Map<Term, List<Pid>> groups) {}

    private final Map<Pid, Local> locals = new HashMap<>();
    private final Map<Pid, Remote> remotes = new HashMap<>();
    private final Map<Term, List<Pid>> localGroups = new HashMap<>();

    private final Map<Term, List<Pid>> members = new ConcurrentHashMap<>();
    private final Map<Term, List<Pid>> localMembers = new ConcurrentHashMap<>();
    private final Set<Atom> remoteNodes = ConcurrentHashMap.newKeySet();

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
        return remoteNodes;
    }

    @Override
    protected Term handleCall(Term request, From from) {
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
            Map<Term, List<Pid>> groups = groups(sync.get(2));
            if (groups != null && !isOwn(scope)) {
                Remote before = remotes.get(scope);
                Set<Term> touched = new HashSet<>(groups.keySet());
                if (before != null) {
                    touched.addAll(before.groups.keySet());
                }
                remotes.put(scope, new Remote(before == null ? watch(scope) : before.monitor, groups));
                touched.forEach(this::show);
            }
        }
    }

    private boolean isOwn(Pid scope) {
        return scope.equals(mailbox().pid());
    }

    private Ref watch(Pid scope) {
        remoteNodes.add(scope.node());
        return mailbox().monitor(scope);
    }

    @Override
    protected void handleInfo(Term message) {
        if (!(message instanceof Tuple tuple) || tuple.size() < 2) {
            return;
        }
        if (tuple.is(DISCOVER, 2) && tuple.get(1) instanceof Pid scope && !isOwn(scope)) {
            discovered(scope);
        } else if (tuple.is(JOIN, 4)) {
            update(
                    tuple.get(1),
                    tuple.get(3),
                    ErlList.of(tuple.get(2)),
                    (groups, member) -> groups.computeIfAbsent(member.group, joined -> new ArrayList<>())
                            .add(member.pid));
        } else if (tuple.is(LEAVE, 4)) {
            update(
                    tuple.get(1),
                    tuple.get(2),
                    tuple.get(3),
                    (groups, member) -> remove(groups, member.group, member.pid));
        } else if (tuple.is(OtpAtoms.DOWN, 5) && tuple.get(3) instanceof Pid ended) {
            ended(ended, tuple.get(1));
        }
    }

    private void discovered(Pid scope) {
        List<Term> groups = new ArrayList<>();
        localGroups.forEach((group, pids) -> groups.add(Tuple.of(group, ErlList.of(pids))));
        tell(scope, Tuple.of(OtpAtoms.GEN_CAST, Tuple.of(SYNC, mailbox().pid(), ErlList.of(groups))));
        if (!remotes.containsKey(scope)) {
            remotes.put(scope, new Remote(watch(scope), new HashMap<>()));
            tell(scope, Tuple.of(DISCOVER, mailbox().pid()));
        }
    }

    private record Member(Term group, Pid pid) {}

    /** Changes the groups of a remote scope; one that is not known is asked when it is discovered. */
    private void update(Term scope, Term given, Term groups, BiConsumer<Map<Term, List<Pid>>, Member> change) {
        Remote remote = scope instanceof Pid pid ? remotes.get(pid) : null;
        List<Pid> pids = pids(given);
        if (remote == null || pids == null || !(groups instanceof ErlList names)) {
            return;
        }
        for (Term group : names.asList()) {
            pids.forEach(pid -> change.accept(remote.groups, new Member(group, pid)));
            show(group);
        }
    }

    private void ended(Pid ended, Term monitor) {
        Remote remote = remotes.get(ended);
        Local local = locals.get(ended);
        if (remote != null && remote.monitor.equals(monitor)) {
            remotes.remove(ended);
            if (remotes.keySet().stream().noneMatch(other -> other.node().equals(ended.node()))) {
                remoteNodes.remove(ended.node());
            }
            remote.groups.keySet().forEach(this::show);
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
            all.addAll(remote.groups.getOrDefault(group, List.of()));
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

    private void broadcast(Term message) {
        List.copyOf(remotes.keySet()).forEach(scope -> tell(scope, message));
    }

    private void tell(Pid scope, Term message) {
        try {
            mailbox().send(scope, message);
        } catch (MessagingException.Unreachable nodeIsLost) {
            // its monitor tells, and the scope is forgotten
        }
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

    /** Returns the groups of a {@code sync}; null where it has another form. */
    private static @Nullable Map<Term, List<Pid>> groups(Term given) {
        if (!(given instanceof ErlList list) || !list.isProper()) {
            return null;
        }
        Map<Term, List<Pid>> groups = new HashMap<>();
        for (Term element : list.asList()) {
            List<Pid> pids = element instanceof Tuple pair && pair.size() == 2 ? pids(pair.get(1)) : null;
            if (pids == null) {
                return null;
            }
            if (!pids.isEmpty()) {
                groups.put(((Tuple) element).get(0), new ArrayList<>(pids));
            }
        }
        return groups;
    }
}
