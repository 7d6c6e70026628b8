package dev.touchstone.messaging.behaviour;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** A child of a {@link Supervisor}: how it is made, restarted and stopped. Immutable; each method returns a changed copy. */
public final class ChildSpec {
    /** A shutdown that waits for the child however long it takes. */
    public static final Duration FOR_EVER = Duration.ofMillis(Long.MAX_VALUE);

    private static final Duration WORKER_SHUTDOWN = Duration.ofSeconds(5);
    private static final Atom JAVA = Atom.of("java");
    private static final Atom START = Atom.of("start");

    private final Term id;
    private final Tuple start; // {Module, Function, Arguments}
    private final ChildFactory factory;
    private final Restart restart;
    private final Duration shutdown; // zero: brutal_kill
    private final boolean isSupervisor;
    private final ServerOptions options;

    ChildSpec(
            Term id,
            Tuple start,
            ChildFactory factory,
            Restart restart,
            Duration shutdown,
            boolean isSupervisor,
            ServerOptions options) {
        this.id = id;
        this.start = start;
        this.factory = factory;
        this.restart = restart;
        this.shutdown = shutdown;
        this.isSupervisor = isSupervisor;
        this.options = options;
    }

    /**
     * Creates the specification of a worker: permanent, with five seconds to shut down.
     *
     * @param id an atom that no other child of the supervisor has
     * @param factory makes the server
     * @return the specification
     */
    public static ChildSpec worker(String id, ChildFactory factory) {
        return of(id, factory, WORKER_SHUTDOWN, false);
    }

    /**
     * Creates the specification of a supervisor below the supervisor: permanent, with as long to shut down as it takes.
     *
     * @param id an atom that no other child of the supervisor has
     * @param factory makes the supervisor
     * @return the specification
     */
    public static ChildSpec supervisor(String id, ChildFactory factory) {
        return of(id, factory, FOR_EVER, true);
    }

    private static ChildSpec of(String id, ChildFactory factory, Duration shutdown, boolean isSupervisor) {
        return new ChildSpec(
                Atom.of(id),
                Tuple.of(JAVA, START, ErlList.EMPTY),
                Objects.requireNonNull(factory, "factory"),
                Restart.PERMANENT,
                shutdown,
                isSupervisor,
                ServerOptions.DEFAULT);
    }

    /**
     * Sets when the child is started again.
     *
     * @param when the rule
     * @return a changed specification
     */
    public ChildSpec restart(Restart when) {
        return new ChildSpec(id, start, factory, Objects.requireNonNull(when, "when"), shutdown, isSupervisor, options);
    }

    /**
     * Sets how long the child may take to end. A child that takes longer is killed: its mailbox is closed and its thread interrupted.
     *
     * @param within the time for {@link GenServer#terminate}; zero kills at once; {@link #FOR_EVER} never kills
     * @return a changed specification
     * @throws IllegalArgumentException if the time is negative
     */
    public ChildSpec shutdown(Duration within) {
        if (within.isNegative()) {
            throw new IllegalArgumentException("shutdown is negative: expected>=0 got=" + within);
        }
        return new ChildSpec(id, start, factory, restart, within, isSupervisor, options);
    }

    /**
     * Sets the name and the threads of the child. Its parent is the supervisor, whatever the options say.
     *
     * @param started the options that the child is started with
     * @return a changed specification
     */
    public ChildSpec options(ServerOptions started) {
        return new ChildSpec(
                id, start, factory, restart, shutdown, isSupervisor, Objects.requireNonNull(started, "started"));
    }

    Term id() {
        return id;
    }

    /** Returns {@code {Module, Function, Arguments}}. */
    Tuple start() {
        return start;
    }

    List<Term> arguments() {
        return ((ErlList) start.get(2)).asList();
    }

    ChildFactory factory() {
        return factory;
    }

    Restart restart() {
        return restart;
    }

    Duration shutdown() {
        return shutdown;
    }

    boolean isSupervisor() {
        return isSupervisor;
    }

    ServerOptions options() {
        return options;
    }
}
