package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.AliasMode;
import dev.touchstone.messaging.MessagingException;
import dev.touchstone.messaging.dist.Connection;
import dev.touchstone.messaging.handshake.Capability;
import dev.touchstone.messaging.identity.NodeName;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A request and its answer. A monitor tells at once where no process will answer; its reference is the alias that the answer is sent to,
 * so that an answer that comes too late is dropped. For one thread and one call.
 */
final class Call {
    private final LocalMailbox mailbox;
    private final LocalNode node;
    private final Duration timeout;
    private final long deadline;
    private final PassedItems.Seen seen; // what came before the request is no answer

    Call(LocalMailbox mailbox, Duration timeout) {
        this.mailbox = mailbox;
        this.node = mailbox.node();
        this.timeout = timeout;
        this.seen = mailbox.inbox().seen();
        this.deadline = System.nanoTime() + Math.min(Inbox.nanos(timeout), Long.MAX_VALUE / 2);
    }

    Term genServer(Pid server, Term request) throws InterruptedException {
        String call = "server=" + server;
        Atom at = server.node();
        Connection connection = node.isSelf(at) ? null : connect(call, at);
        return ask(
                call,
                server,
                at,
                connection,
                request,
                message -> connection == null
                        ? node.router().deliverWithin(node.mailboxes().find(server), message, left())
                        : connection.trySend(mailbox.pid(), out -> out.send(server, message), left()));
    }

    Term genServer(Atom server, NodeName at, Term request) throws InterruptedException {
        String call = "server=" + server.name() + " node=" + at;
        Pid from = mailbox.pid();
        Connection connection = node.isSelf(at) ? null : connect(call, at.atom());
        return ask(
                call,
                server,
                at.atom(),
                connection,
                request,
                message -> connection == null
                        ? node.router().sendNamed(server, message, left())
                        : connection.trySend(from, out -> out.regSend(from, server, message), left()));
    }

    Term rpc(NodeName at, Atom module, Atom function, List<Term> arguments) throws InterruptedException {
        Term request = Tuple.of(WellKnownAtoms.CALL, module, function, ErlList.of(arguments), mailbox.pid());
        return genServer(WellKnownAtoms.REX, at, request);
    }

    private Term ask(
            String call, Term server, Atom at, @Nullable Connection connection, Term request, Predicate<Term> trySend)
            throws InterruptedException {
        Ref monitor = node.signals().monitor(mailbox, server, at, null, connection);
        Term tag = ErlList.improper(List.of(WellKnownAtoms.ALIAS), monitor);
        node.mailboxes().alias(monitor, mailbox, AliasMode.EXPLICIT_UNALIAS);
        Predicate<Term> isOfCall = message -> isAnswer(message, tag) || isDown(message, monitor);
        try {
            Tuple from = Tuple.of(mailbox.pid(), tag);
            check(call, trySend.test(Tuple.of(WellKnownAtoms.GEN_CALL, from, request)));
            Tuple answer = await(call, isOfCall);
            if (isDown(answer, monitor)) {
                throw new MessagingException.CallFailed(call, answer.get(4));
            }
            return answer.get(1);
        } finally {
            mailbox.demonitor(monitor);
            boolean unused = mailbox.unalias(monitor);
            mailbox.discard(isOfCall, seen);
        }
    }

    /** Calls a function in a process that the other node spawns, and whose exit reason is the function's result. */
    Term erpc(NodeName at, Atom module, Atom function, List<Term> arguments) throws InterruptedException {
        String call = "erpc node=" + at + " function=" + module.name() + ":" + function.name();
        Ref request = node.newRef();
        Connection connection = connect(call, at.atom());
        if (!connection.capabilities().has(Capability.SPAWN)
                || !connection
                        .capabilities()
                        .has(Capability.DIST_MONITOR)) { // the answer is the end of a monitored process
            throw new MessagingException.CallFailed(call, WellKnownAtoms.NOTSUP);
        }
        node.signals().expectDown(mailbox, request, WellKnownAtoms.UNDEFINED, at.atom());
        Predicate<Term> isOfCall = message -> isDown(message, request) || isRefused(message, request);
        try {
            if (!connection.isOpen()) { // lost before the answer was expected: nobody tells
                throw new MessagingException.CallFailed(call, WellKnownAtoms.NOCONNECTION);
            }
            Term given = ErlList.of(request, module, function, ErlList.of(arguments));
            Term executed = Tuple.of(WellKnownAtoms.ERPC, WellKnownAtoms.EXECUTE_CALL, Int.of(4));
            ErlList options = ErlList.of(WellKnownAtoms.MONITOR);
            Pid from = mailbox.pid();
            check(
                    call,
                    connection.trySend(from, out -> out.spawnRequest(request, from, executed, options, given), left()));
            Tuple answer = await(call, isOfCall);
            Term reason = answer.get(answer.size() - 1);
            if (reason instanceof Tuple result
                    && result.size() == 3
                    && result.get(0).equals(request)
                    && result.get(1).equals(WellKnownAtoms.RETURN)) {
                return result.get(2);
            }
            throw new MessagingException.CallFailed(call, reason);
        } finally {
            mailbox.demonitor(request);
            mailbox.discard(isOfCall, seen);
        }
    }

    /** Returns a connection that has room for what this call sends, made where there is none. */
    private Connection connect(String call, Atom at) throws InterruptedException {
        try {
            Connection connection = node.peers().connectOrFail(at, left());
            check(call, connection.awaitRoom(mailbox.pid(), left()));
            return connection;
        } catch (TimeoutException e) {
            throw new MessagingException.TimedOut(call, timeout);
        } catch (IOException e) {
            throw new MessagingException.Unreachable(at.name(), e);
        }
    }

    /** Checks that a wait for room has succeeded: otherwise the thread is interrupted, or the time is up. */
    private void check(String call, boolean hasRoom) throws InterruptedException {
        if (!hasRoom) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            throw new MessagingException.TimedOut(call, timeout);
        }
    }

    private long left() {
        return Math.max(1, deadline - System.nanoTime());
    }

    private Tuple await(String call, Predicate<Term> wanted) throws InterruptedException {
        Term answer = mailbox.receiveNew(wanted, seen, left());
        if (answer == null) {
            throw new MessagingException.TimedOut(call, timeout);
        }
        return (Tuple) answer;
    }

    private static boolean isAnswer(Term message, Term tag) {
        return message instanceof Tuple pair && pair.size() == 2 && pair.get(0).equals(tag);
    }

    private static boolean isDown(Term message, Ref monitor) {
        return message instanceof Tuple down
                && down.size() == 5
                && down.get(0).equals(WellKnownAtoms.DOWN)
                && down.get(1).equals(monitor);
    }

    private static boolean isRefused(Term message, Ref request) {
        return message instanceof Tuple reply
                && reply.size() == 4
                && reply.get(0).equals(WellKnownAtoms.SPAWN_REPLY)
                && reply.get(1).equals(request);
    }
}
