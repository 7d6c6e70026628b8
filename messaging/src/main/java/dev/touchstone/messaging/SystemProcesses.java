package dev.touchstone.messaging;

import dev.touchstone.messaging.dist.Connection;
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
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** What every Erlang node answers: pings to {@code net_kernel}, calls to {@code rex}, and spawn requests, which {@code erpc} uses. */
final class SystemProcesses implements AutoCloseable {
    private static final int THREADS = 16;
    private static final int MAX_WAITING = 10_000;
    private static final int MONITORED = 2;

    private final Node node;
    private final Map<List<Atom>, RpcHandler> handlers = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor threads;

    SystemProcesses(Node node) {
        this.node = node;
        this.threads = new ThreadPoolExecutor(
                THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_WAITING), work -> {
                    Thread thread = new Thread(work, "touchstone-rpc-" + node.name());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** Whether a node answers to this name itself, for as long as it runs. */
    static boolean isService(Term name) {
        return name.equals(WellKnownAtoms.NET_KERNEL) || name.equals(WellKnownAtoms.REX);
    }

    void handle(Atom module, Atom function, RpcHandler handler) {
        handlers.put(List.of(module, function), handler);
    }

    /** Serves a message to one of the names that a node itself answers to; false where it is another name. */
    boolean serve(Pid from, Atom name, Term message) {
        boolean known = isService(name);
        if (!known
                || !(message instanceof Tuple call)
                || call.size() != 3
                || !call.get(0).equals(WellKnownAtoms.GEN_CALL)) {
            return known;
        }
        Term caller = call.get(1);
        if (call.get(2) instanceof Tuple request && request.size() > 0) {
            if (name.equals(WellKnownAtoms.NET_KERNEL) && request.get(0).equals(WellKnownAtoms.IS_AUTH)) {
                execute(() -> reply(caller, WellKnownAtoms.YES));
            } else if (name.equals(WellKnownAtoms.REX)
                    && request.size() == 5
                    && request.get(0).equals(WellKnownAtoms.CALL)) {
                execute(() -> reply(caller, rexAnswer(request)));
            }
        }
        return true;
    }

    private void reply(Term caller, Term answer) {
        node.router().reply(node.pid(), null, caller, answer);
    }

    private Term rexAnswer(Tuple request) {
        try {
            return call(request.get(1), request.get(2), request.get(3));
        } catch (Undefined e) {
            return Tuple.of(
                    WellKnownAtoms.BADRPC,
                    Tuple.of(WellKnownAtoms.EXIT, Tuple.of(WellKnownAtoms.UNDEF, ErlList.EMPTY)));
        } catch (Exception e) {
            return Tuple.of(WellKnownAtoms.BADRPC, Tuple.of(WellKnownAtoms.EXIT, text(e)));
        }
    }

    private Term call(Term module, Term function, Term arguments) throws Exception {
        RpcHandler handler =
                module instanceof Atom m && function instanceof Atom f ? handlers.get(List.of(m, f)) : null;
        if (handler == null || !(arguments instanceof ErlList list) || !list.isProper()) {
            throw new Undefined(module, function);
        }
        return handler.call(list.asList());
    }

    private static final class Undefined extends Exception {
        private static final long serialVersionUID = 1;

        Undefined(Term module, Term function) {
            super("no handler: module=" + module + " function=" + function);
        }
    }

    private static Term text(Exception e) {
        return Binary.of(String.valueOf(e.getMessage() == null ? e.getClass().getName() : e.getMessage()));
    }

    /**
     * Serves a spawn request by {@code erpc}; any other is answered with {@code notsup}.
     *
     * @param function module, function and arity
     * @param options of the spawned process; that it is monitored shows in the answer
     */
    void spawn(Connection connection, Ref request, Pid from, Term function, Term options, Term arguments) {
        List<Term> given = arguments instanceof ErlList list && list.isProper() ? list.asList() : List.of();
        boolean isErpc =
                function instanceof Tuple mfa && mfa.size() == 3 && mfa.get(0).equals(WellKnownAtoms.ERPC);
        boolean isCall = isErpc && ((Tuple) function).get(1).equals(WellKnownAtoms.EXECUTE_CALL) && given.size() == 4;
        boolean isCast = isErpc && ((Tuple) function).get(1).equals(WellKnownAtoms.EXECUTE_CAST) && given.size() == 3;
        if (!isCall && !isCast) {
            connection.sendOwed(null, out -> out.spawnReply(request, from, 0, WellKnownAtoms.NOTSUP));
            return;
        }
        Pid process = node.newPid();
        boolean monitored = isMonitored(options) && connection.capabilities().canMonitor(process);
        connection.sendOwed(process, out -> out.spawnReply(request, from, monitored ? MONITORED : 0, process));
        execute(() -> {
            Term reason = isCall ? callResult(given) : castResult(given);
            if (monitored) {
                connection.send(process, out -> out.down(process, from, request, reason));
            }
        });
    }

    private static boolean isMonitored(Term options) {
        return options instanceof ErlList list
                && list.asList().stream()
                        .anyMatch(option -> option.equals(WellKnownAtoms.MONITOR)
                                || (option instanceof Tuple pair
                                        && pair.size() == 2
                                        && pair.get(0).equals(WellKnownAtoms.MONITOR)));
    }

    private Term callResult(List<Term> given) {
        Term result = given.get(0);
        try {
            return Tuple.of(result, WellKnownAtoms.RETURN, call(given.get(1), given.get(2), given.get(3)));
        } catch (Undefined e) {
            Term where = Tuple.of(given.get(1), given.get(2), given.get(3), ErlList.EMPTY);
            return Tuple.of(result, WellKnownAtoms.ERROR, WellKnownAtoms.UNDEF, ErlList.of(where));
        } catch (Exception e) {
            Term where = Tuple.of(given.get(1), given.get(2), Int.of(arity(given.get(3))), ErlList.EMPTY);
            return Tuple.of(result, WellKnownAtoms.ERROR, text(e), ErlList.of(where));
        }
    }

    private static int arity(Term arguments) {
        return arguments instanceof ErlList list ? list.size() : 0;
    }

    private Term castResult(List<Term> given) {
        try {
            Term unused = call(given.get(0), given.get(1), given.get(2));
            return WellKnownAtoms.NORMAL;
        } catch (Exception e) {
            return text(e);
        }
    }

    /** Off the leader's path: a handler may take long, and an answer may have to wait. */
    private void execute(Runnable work) {
        try {
            threads.execute(work);
        } catch (RejectedExecutionException busyOrClosed) {
            node.countRejected();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
