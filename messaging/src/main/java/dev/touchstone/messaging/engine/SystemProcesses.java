package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.RpcHandler;
import dev.touchstone.messaging.dist.Connection;
import dev.touchstone.messaging.engine.CallQueue.Call;
import dev.touchstone.messaging.report.FaultLog;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Binary;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The processes that other nodes expect at every node: {@code net_kernel}, {@code rex}, and those that they spawn here to call a
 * handler. Thread-safe.
 */
final class SystemProcesses implements AutoCloseable {
    /*
     * Who calls:      `serve` and `spawn` run on the leader, which must not wait, or on the thread of a sender of this node. Handlers
     *                 run on the threads of `calls`; what needs no handler, such as a ping, is answered at once.
     * Invariants:     a request whose sender is known is answered, with an error where it is not understood, or its peer has too many
     *                 calls. An answer goes over a connection that is there, or is lost: the node does not connect to answer.
     * Ordering:       the monitor and the link of a spawned process are made before its pid is told, and its function is called
     *                 afterwards, so that the spawning node learns of the process before it learns of its end.
     * Failure:        whatever a handler throws, an Error too, becomes its caller's answer. An answer whose receiver is not connected is counted.
     */
    private static final int LINKED = 1;
    private static final int MONITORED = 2;
    private static final int CALL_BYTES = 512; // of a call besides its arguments
    private static final int PROCESS_BYTES = 4096; // of a spawned process besides its arguments
    private static final Term REFUSAL =
            Tuple.of(WellKnownAtoms.BADRPC, Tuple.of(WellKnownAtoms.EXIT, WellKnownAtoms.SYSTEM_LIMIT));

    private static final Term UNDESCRIBED = Binary.of("failure that cannot be described");

    private final LocalNode node;
    private final Map<List<Atom>, RpcHandler> handlers = new ConcurrentHashMap<>();
    private final CallQueue calls;

    SystemProcesses(LocalNode node) {
        this.node = node;
        this.calls = new CallQueue(node.name().toString());
    }

    /** Returns whether the node itself answers to this name, for as long as it runs. */
    static boolean isService(Term name) {
        return name.equals(WellKnownAtoms.NET_KERNEL) || name.equals(WellKnownAtoms.REX);
    }

    void handle(Atom module, Atom function, RpcHandler handler) {
        handlers.put(List.of(module, function), handler);
    }

    /**
     * Serves a message to a name that the node itself answers to; returns false for any other name.
     *
     * @param peer name of the node that sends the message
     * @param bytes of the message in memory
     */
    boolean serve(Atom peer, Atom name, Term message, long bytes) {
        if (!isService(name)) {
            return false;
        }
        new Request(peer, bytes + CALL_BYTES).serve(name.equals(WellKnownAtoms.REX), message);
        return true;
    }

    /** Answers a request that cannot be read, where {@code caller} is one. */
    void refuse(Term caller) {
        if (isCaller(caller)) {
            reply(caller, REFUSAL);
        }
    }

    private static boolean isCaller(Term from) {
        return from instanceof Tuple pair && pair.size() == 2 && pair.get(0) instanceof Pid;
    }

    /** A message to a name that the node itself answers to. */
    private final class Request {
        private final Atom peer;
        private final long bytes;

        Request(Atom peer, long bytes) {
            this.peer = peer;
            this.bytes = bytes;
        }

        void serve(boolean isRex, Term message) {
            if (message instanceof Tuple call && call.is(WellKnownAtoms.GEN_CALL, 3) && isCaller(call.get(1))) {
                if (isRex) {
                    serveRex(call.get(1), call.get(2));
                } else {
                    serveNetKernel(call.get(1), call.get(2));
                }
            } else if (isRex && message instanceof Tuple cast && cast.is(WellKnownAtoms.GEN_CAST, 2)) {
                if (!castRex(cast.get(1))) {
                    node.countRejected();
                }
            } else if (isRex && message instanceof Tuple old && old.size() == 2 && old.get(0) instanceof Pid sender) {
                serveOldRex(sender, old.get(1));
            } else {
                node.countRejected();
            }
        }

        private void serveNetKernel(Term caller, Term request) {
            boolean isPing = request instanceof Tuple ping && ping.is(WellKnownAtoms.IS_AUTH, 2);
            reply(caller, isPing ? WellKnownAtoms.YES : unknown(WellKnownAtoms.ERROR, request));
        }

        /** Serves a call of {@code rex}, by a {@code gen_server} call or by an old-style request. */
        private void serveRex(Term caller, Term request) {
            boolean inTurn = isFunction(request, WellKnownAtoms.BLOCK_CALL);
            if (inTurn
                    || isFunction(request, WellKnownAtoms.CALL)
                    || isFunction(request, WellKnownAtoms.NONBLOCKING_CALL)) {
                calls.add(peer, answering(caller, bytes, inTurn, () -> rexAnswer((Tuple) request)));
            } else {
                reply(caller, unknown(WellKnownAtoms.BADRPC, request));
            }
        }

        /** Serves a request as C nodes and Erlang's {@code rpc} send it without {@code gen_server}: {@code {From, Request}}. */
        private void serveOldRex(Pid sender, Term request) {
            if (castRex(request)) {
                return;
            }
            if (request.equals(WellKnownAtoms.FEATURES_REQUEST)) {
                tell(sender, Tuple.of(WellKnownAtoms.FEATURES_REPLY, self(), ErlList.of(WellKnownAtoms.ERPC)));
            } else if (request instanceof Tuple cast
                    && (cast.is(WellKnownAtoms.SBCAST, 3) || cast.is(WellKnownAtoms.SEND, 3))) {
                broadcast(sender, cast);
            } else {
                serveRex(Tuple.of(sender, WellKnownAtoms.REX), request);
            }
        }

        /** Calls a function for nobody; returns false where the request asks for something else. */
        private boolean castRex(Term request) {
            boolean isCast = isFunction(request, WellKnownAtoms.CAST);
            if (isCast) {
                Tuple cast = (Tuple) request;
                Supplier<CallQueue.@Nullable Answer> work = () -> {
                    Outcome unused = evaluate(cast.get(1), cast.get(2), cast.get(3));
                    return null;
                };
                calls.add(peer, new Call(bytes, false, work, node::countRejected));
            }
            return isCast;
        }
    }

    /** Brings {@code {sbcast, Name, Message}} or {@code {send, Name, Message}} to a name, and tells whether there is one. */
    private void broadcast(Pid sender, Tuple cast) {
        LocalMailbox to = cast.get(1) instanceof Atom name ? node.mailboxes().find(name) : null;
        boolean isSbcast = cast.is(WellKnownAtoms.SBCAST, 3);
        if (to != null) {
            to.deliver(isSbcast ? cast.get(2) : Tuple.of(sender, cast.get(2)));
        }
        if (to == null || isSbcast) {
            Term outcome = to == null ? Tuple.of(WellKnownAtoms.NONEXISTING_NAME, cast.get(1)) : self();
            tell(sender, Tuple.of(WellKnownAtoms.REX, self(), outcome));
        }
    }

    /** Returns whether a request is {@code {Tag, Module, Function, Arguments, GroupLeader}}. */
    private static boolean isFunction(Term request, Atom tag) {
        return request instanceof Tuple call && call.is(tag, 5);
    }

    private static Term unknown(Atom kind, Term request) {
        Term tag = request instanceof Tuple tuple && tuple.size() > 0 ? tuple.get(0) : request;
        Term shown = tag instanceof Atom ? tag : WellKnownAtoms.UNDEFINED;
        return Tuple.of(kind, Tuple.of(WellKnownAtoms.UNKNOWN_REQUEST, shown));
    }

    private Atom self() {
        return node.name().atom();
    }

    /** Sends at once what the node itself says, however much waits; a peer that leaves too much of that unread loses the connection. */
    private void tell(Pid to, Term message) {
        boolean unused = node.router().answer(to, null, message, Router.Room.OWED);
    }

    private void reply(Term caller, Term answer) {
        boolean unused = reply(caller, answer, Router.Room.OWED);
    }

    private boolean reply(Term caller, Term answer, Router.Room room) {
        Tuple from = (Tuple) caller;
        Term tag = from.get(1);
        return node.router().answer((Pid) from.get(0), Router.aliasOf(tag), Tuple.of(tag, answer), room);
    }

    private Call answering(Term caller, long bytes, boolean inTurn, Supplier<Term> answer) {
        return new Call(bytes, inTurn, () -> sending(caller, answer.get()), () -> {
            node.countRejected();
            reply(caller, REFUSAL);
        });
    }

    /** Returns the answer to a call; one that no frame can hold becomes a refusal. */
    private CallQueue.Answer sending(Term caller, Term answer) {
        return wait -> {
            try {
                return reply(caller, answer, wait ? Router.Room.AWAITED : Router.Room.TRIED);
            } catch (IllegalArgumentException tooLarge) {
                node.countRejected();
                reply(caller, REFUSAL);
                return true;
            }
        };
    }

    private Term rexAnswer(Tuple request) {
        Outcome outcome = evaluate(request.get(1), request.get(2), request.get(3));
        return outcome.result() != null
                ? outcome.result()
                : Tuple.of(WellKnownAtoms.BADRPC, Tuple.of(WellKnownAtoms.EXIT, outcome.failure()));
    }

    /**
     * The outcome of a handler's call.
     *
     * @param result null if it failed
     * @param reason of the failure
     * @param stack the function that failed, as Erlang shows it
     */
    private record Outcome(@Nullable Term result, Term reason, Term stack) {
        static Outcome failed(Term reason, Term module, Term function, Term arguments) {
            return new Outcome(null, reason, ErlList.of(Tuple.of(module, function, arguments, ErlList.EMPTY)));
        }

        Tuple failure() {
            return Tuple.of(reason, stack);
        }
    }

    private Outcome evaluate(Term module, Term function, Term arguments) {
        RpcHandler handler = handler(module, function);
        if (!(arguments instanceof ErlList list) || !list.isProper()) {
            return Outcome.failed(WellKnownAtoms.BADARG, module, function, arguments);
        }
        if (handler == null) {
            return Outcome.failed(WellKnownAtoms.UNDEF, module, function, arguments);
        }
        try {
            return new Outcome(handler.call(list.asList()), WellKnownAtoms.NORMAL, ErlList.EMPTY);
        } catch (Throwable e) { // an Error too: its caller waits
            return Outcome.failed(text(e), module, function, Int.of(list.size()));
        }
    }

    private @Nullable RpcHandler handler(Term module, Term function) {
        return module instanceof Atom m && function instanceof Atom f ? handlers.get(List.of(m, f)) : null;
    }

    private static Term text(Throwable e) {
        try {
            if (e instanceof Error) {
                FaultLog.report("handler failed, its caller is told", e);
            }
            return Binary.of(e.getMessage() == null ? e.getClass().getName() : e.getMessage());
        } catch (Throwable undescribed) { // getMessage is the user's code, and there may be no memory
            return UNDESCRIBED;
        }
    }

    /**
     * Spawns a process that calls a handler, or one of {@code erpc}'s functions; any other function is answered with {@code notsup}, and
     * options that are none with {@code badopt}. The process traps exits; an exit signal with the reason {@code kill} ends it.
     *
     * @param function module, function and arity
     * @param options of the process: {@code link}, {@code monitor}, and pairs, of which only {@code {monitor, _}} counts
     * @param bytes of the arguments in memory
     */
    void spawn(Connection connection, Ref request, Pid from, Term function, Term options, Term arguments, long bytes) {
        Supplier<Term> body = body(function, arguments);
        if (body == null || !areOptions(options)) {
            Atom error = body == null ? WellKnownAtoms.NOTSUP : WellKnownAtoms.BADOPT;
            connection.sendOwed(null, out -> out.spawnReply(request, from, 0, error));
            return;
        }
        LocalMailbox process = node.mailbox();
        try {
            spawn(connection, request, from, process, options, body, bytes);
        } catch (RuntimeException | Error e) { // as too many monitors, or no memory
            process.close();
            throw e;
        }
    }

    private void spawn(
            Connection connection,
            Ref request,
            Pid from,
            LocalMailbox process,
            Term options,
            Supplier<Term> body,
            long bytes) {
        boolean isLinked = has(options, WellKnownAtoms.LINK);
        boolean isMonitored = has(options, WellKnownAtoms.MONITOR)
                && connection.capabilities().canMonitor(process.pid());
        if (isLinked) {
            node.signals().onLink(from, process.pid());
        }
        if (isMonitored) {
            node.signals().onMonitor(from, process.pid(), request);
        }
        int flags = (isLinked ? LINKED : 0) | (isMonitored ? MONITORED : 0);
        connection.sendOwed(process.pid(), out -> out.spawnReply(request, from, flags, process.pid()));
        Supplier<CallQueue.@Nullable Answer> work = () -> {
            Term reason = body.get();
            return wait -> end(process, reason, wait);
        };
        calls.add(connection.peer().atom(), new Call(bytes + PROCESS_BYTES, false, work, () -> {
            node.countRejected();
            process.close(WellKnownAtoms.SYSTEM_LIMIT);
        }));
    }

    /** Ends a process, always by the thread that may wait: its reason may be a large result, and many such must not be owed. */
    private boolean end(LocalMailbox process, Term reason, boolean wait) {
        if (wait) {
            node.signals().closedAndAwaited(process, reason);
        }
        return wait;
    }

    /** Returns what a process with this function runs, and with which reason it then ends; null where there is no such function. */
    private @Nullable Supplier<Term> body(Term function, Term arguments) {
        if (!(function instanceof Tuple mfa)
                || mfa.size() != 3
                || !(arguments instanceof ErlList list)
                || !list.isProper()
                || !mfa.get(2).equals(Int.of(list.size()))) {
            return null;
        }
        Term module = mfa.get(0);
        Term name = mfa.get(1);
        boolean isErpc = module.equals(WellKnownAtoms.ERPC);
        if (isErpc && name.equals(WellKnownAtoms.EXECUTE_CALL) && list.size() == 4) {
            return () -> erpcResult(list.get(0), evaluate(list.get(1), list.get(2), list.get(3)));
        }
        if (isErpc && name.equals(WellKnownAtoms.EXECUTE_CAST) && list.size() == 3) {
            return () -> endReason(evaluate(list.get(0), list.get(1), list.get(2)));
        }
        return handler(module, name) == null ? null : () -> endReason(evaluate(module, name, arguments));
    }

    private static Term erpcResult(Term request, Outcome outcome) {
        return outcome.result() != null
                ? Tuple.of(request, WellKnownAtoms.RETURN, outcome.result())
                : Tuple.of(request, WellKnownAtoms.ERROR, outcome.reason(), outcome.stack());
    }

    private static Term endReason(Outcome outcome) {
        return outcome.result() != null ? WellKnownAtoms.NORMAL : outcome.failure();
    }

    private static boolean areOptions(Term options) {
        return options instanceof ErlList list
                && list.isProper()
                && list.asList().stream()
                        .allMatch(option -> option.equals(WellKnownAtoms.LINK)
                                || option.equals(WellKnownAtoms.MONITOR)
                                || (option instanceof Tuple pair && pair.size() == 2 && pair.get(0) instanceof Atom));
    }

    private static boolean has(Term options, Atom wanted) {
        return ((ErlList) options)
                .asList().stream()
                        .anyMatch(option -> option.equals(wanted)
                                || (option instanceof Tuple pair && pair.get(0).equals(wanted)));
    }

    @Override
    public void close() {
        calls.close();
    }
}
