package dev.touchstone.messaging.behaviour;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Pid;
import dev.touchstone.messaging.term.Ref;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server that starts other servers of the same node and restarts those that end. It answers Erlang's {@code
 * supervisor:which_children}, {@code count_children}, {@code get_childspec}, {@code start_child}, {@code terminate_child}, {@code
 * restart_child} and {@code delete_child}, and is started by {@link GenServer#start}.
 *
 * <p>Where children are restarted more often than the intensity allows, the supervisor terminates all children, the last one first, and
 * ends with the reason {@code shutdown}.
 *
 * @see <a href="https://www.erlang.org/doc/apps/stdlib/supervisor.html">supervisor</a>
 */
public final class Supervisor extends GenServer {
    /*
     * Who calls:  the supervisor's thread only.
     * Invariants: `children` stand in the order in which they were started. A child whose server has ended does not count as running, even
     *             if the message of its end has yet to come; such a message of an earlier server is passed over.
     * Ordering:   a child is terminated before its successor is started.
     * Failure:    a start that fails is tried again by a message to itself, each time counted against the intensity.
     */
    private static final Logger LOG = System.getLogger(Supervisor.class.getName());
    private static final Atom ACTIVE = Atom.of("active");
    private static final Atom ALREADY_PRESENT = Atom.of("already_present");
    private static final Atom ALREADY_STARTED = Atom.of("already_started");
    private static final Atom FAILED_TO_START = Atom.of("failed_to_start_child");
    private static final Atom NOT_FOUND = Atom.of("not_found");
    private static final Atom RESTARTING = Atom.of("restarting");
    private static final Atom RUNNING = Atom.of("running");
    private static final Atom SIMPLE = Atom.of("simple_one_for_one");
    private static final Atom SPECS = Atom.of("specs");
    private static final Atom SUPERVISORS = Atom.of("supervisors");
    private static final Atom TRY_AGAIN = Atom.of("try_again_restart");
    private static final Atom UNKNOWN_REQUEST = Atom.of("unknown_request");
    private static final Atom WORKERS = Atom.of("workers");

    private final Strategy strategy;
    private final int maxRestarts;
    private final long periodNanos;
    private final List<ChildSpec> specs;
    private final Map<Tuple, ChildFactory> kinds;
    private final List<SupervisedChild> children = new ArrayList<>();
    private final Deque<Long> restarts = new ArrayDeque<>();

    Supervisor(
            Strategy strategy,
            int maxRestarts,
            Duration period,
            List<ChildSpec> specs,
            Map<Tuple, ChildFactory> kinds) {
        this.strategy = strategy;
        this.maxRestarts = maxRestarts;
        this.periodNanos = RunningServer.nanos(period);
        this.specs = specs;
        this.kinds = kinds;
    }

    /**
     * Returns a builder of a supervisor that allows one restart in five seconds.
     *
     * @param strategy the children that are restarted when one ends
     * @return the builder
     */
    public static SupervisorBuilder builder(Strategy strategy) {
        return new SupervisorBuilder(strategy);
    }

    @Override
    boolean trapsExits() {
        return true;
    }

    private boolean isSimple() {
        return strategy == Strategy.SIMPLE_ONE_FOR_ONE;
    }

    @Override
    boolean waitsToReply() {
        return false; // a peer that does not read must not hold up restarts
    }

    @Override
    protected void init() throws Exception {
        if (isSimple()) {
            return;
        }
        for (ChildSpec spec : specs) {
            SupervisedChild child = new SupervisedChild(spec, spec.arguments());
            Term failure = child.start(mailbox());
            if (failure != null) {
                terminateFrom(0);
                stop(Tuple.of(OtpAtoms.SHUTDOWN, Tuple.of(FAILED_TO_START, spec.id(), failure)));
                return;
            }
            children.add(child);
        }
    }

    @Override
    protected void terminate(Term reason) throws Exception {
        terminateFrom(0);
    }

    /** Terminates the children from an index on, the last one first, and forgets those that are temporary. */
    private void terminateFrom(int index) throws InterruptedException {
        for (int i = children.size() - 1; i >= index; i--) {
            children.get(i).terminate(mailbox());
        }
        for (int i = children.size() - 1; i >= index; i--) {
            if (children.get(i).spec().restart() == Restart.TEMPORARY) {
                children.remove(i);
            }
        }
    }

    // --- ends of children

    @Override
    protected void handleInfo(Term message) throws Exception {
        if (!(message instanceof Tuple exit)
                || !exit.is(OtpAtoms.EXIT, 3)
                || !mailbox().isExitSignal(exit)) {
            return; // a plain message of that form, too: its child still runs
        }
        SupervisedChild child = findRunning(exit.get(1));
        if (child == null) {
            return; // terminated meanwhile, or never a child
        }
        Term reason = exit.get(2);
        child.ended();
        LOG.log(
                OtpAtoms.isOrderly(reason) ? Level.DEBUG : Level.WARNING,
                () -> "child has ended: supervisor=" + mailbox() + " child="
                        + child.spec().id() + " pid=" + exit.get(1) + " reason=" + reason);
        Restart rule = child.spec().restart();
        if (rule == Restart.PERMANENT || (rule == Restart.TRANSIENT && !OtpAtoms.isOrderly(reason))) {
            restart(child);
        } else if (rule == Restart.TEMPORARY || isSimple()) {
            children.remove(child);
        }
    }

    @Override
    protected void handleCast(Term request) throws Exception {
        if (request instanceof Tuple again && again.is(TRY_AGAIN, 2)) {
            for (SupervisedChild child : List.copyOf(children)) {
                if (child.waitsFor(again.get(1))) {
                    restart(child);
                }
            }
        }
    }

    private void restart(SupervisedChild ended) throws InterruptedException {
        if (!mayRestart()) {
            LOG.log(
                    Level.ERROR,
                    () -> "supervisor ends, since children end too often: supervisor=" + mailbox() + " child="
                            + ended.spec().id() + " allowed=" + maxRestarts + " within="
                            + Duration.ofNanos(periodNanos));
            stop(OtpAtoms.SHUTDOWN);
            return;
        }
        if (strategy == Strategy.ONE_FOR_ONE || isSimple()) {
            startAgain(ended);
            return;
        }
        int first = strategy == Strategy.ONE_FOR_ALL ? 0 : children.indexOf(ended);
        terminateFrom(first);
        for (int i = first; i < children.size(); i++) {
            if (!startAgain(children.get(i))) {
                return; // the next attempt starts those that follow
            }
        }
    }

    private boolean startAgain(SupervisedChild child) throws InterruptedException {
        Term failure = child.start(mailbox());
        if (failure == null) {
            return true;
        }
        LOG.log(
                Level.WARNING,
                () -> "restart has failed: supervisor=" + mailbox() + " child="
                        + child.spec().id() + " reason=" + failure);
        Ref attempt = mailbox().newRef();
        child.retryOn(attempt);
        GenServer.cast(mailbox(), mailbox().pid(), Tuple.of(TRY_AGAIN, attempt));
        return false;
    }

    private boolean mayRestart() {
        long now = System.nanoTime();
        restarts.addLast(now);
        while (now - restarts.getFirst() > periodNanos) {
            restarts.removeFirst();
        }
        return restarts.size() <= maxRestarts;
    }

    // --- requests of Erlang's module supervisor

    @Override
    protected Term handleCall(Term request, From from) throws Exception {
        if (request instanceof Atom what) {
            return switch (what.name()) {
                case "which_children" -> state();
                case "count_children" -> count();
                default -> error(UNKNOWN_REQUEST);
            };
        }
        if (!(request instanceof Tuple tuple) || tuple.size() != 2 || !(tuple.get(0) instanceof Atom what)) {
            return error(UNKNOWN_REQUEST);
        }
        Term subject = tuple.get(1);
        return switch (what.name()) {
            case "start_child" -> isSimple() ? startDynamic(subject) : startChild(subject);
            case "terminate_child" -> terminateChild(subject);
            case "restart_child" -> isSimple() ? error(SIMPLE) : restartChild(subject);
            case "delete_child" -> isSimple() ? error(SIMPLE) : deleteChild(subject);
            case "get_childspec" -> specOf(subject);
            default -> error(UNKNOWN_REQUEST);
        };
    }

    private static Term error(Term reason) {
        return Tuple.of(Atom.ERROR, reason);
    }

    /** Returns the children as {@code which_children} shows them, the last one first. */
    @Override
    protected Term state() {
        List<Term> shown = new ArrayList<>();
        for (int i = children.size() - 1; i >= 0; i--) {
            SupervisedChild child = children.get(i);
            ChildSpec spec = child.spec();
            Term id = isSimple() ? Atom.UNDEFINED : spec.id();
            shown.add(Tuple.of(id, child.shown(), ChildSpecFormat.type(spec), ChildSpecFormat.modules(spec)));
        }
        return ErlList.of(shown);
    }

    private Term count() {
        long active = children.stream().filter(SupervisedChild::isRunning).count();
        long supervisors =
                children.stream().filter(child -> child.spec().isSupervisor()).count();
        return ErlList.of(
                Tuple.of(SPECS, Int.of(isSimple() ? specs.size() : children.size())),
                Tuple.of(ACTIVE, Int.of(active)),
                Tuple.of(SUPERVISORS, Int.of(supervisors)),
                Tuple.of(WORKERS, Int.of(children.size() - supervisors)));
    }

    private Term startDynamic(Term more) throws InterruptedException {
        ChildSpec spec = specs.get(0);
        if (!(more instanceof ErlList list) || !list.isProper()) {
            return error(Tuple.of(Atom.of("invalid_arguments"), more));
        }
        List<Term> arguments = new ArrayList<>(spec.arguments());
        arguments.addAll(list.asList());
        SupervisedChild child = new SupervisedChild(spec, List.copyOf(arguments));
        Term failure = child.start(mailbox());
        return failure == null ? added(child) : error(failure);
    }

    private Term startChild(Term given) throws InterruptedException {
        ChildSpec spec;
        try {
            spec = ChildSpecFormat.parse(given, kinds);
        } catch (ChildSpecFormat.InvalidSpec e) {
            return error(e.reason());
        }
        SupervisedChild known = find(spec.id());
        if (known != null) {
            return error(known.isRunning() ? Tuple.of(ALREADY_STARTED, known.pid()) : ALREADY_PRESENT);
        }
        SupervisedChild child = new SupervisedChild(spec, spec.arguments());
        Term failure = child.start(mailbox());
        return failure == null ? added(child) : error(Tuple.of(failure, ChildSpecFormat.failed(spec)));
    }

    private Term added(SupervisedChild child) {
        children.add(child);
        return Tuple.of(Atom.OK, child.pid());
    }

    private Term terminateChild(Term id) throws InterruptedException {
        if (isSimple() && !(id instanceof Pid)) {
            return error(SIMPLE);
        }
        SupervisedChild child = isSimple() ? findRunning(id) : find(id);
        if (child == null) {
            return isSimple() && hasEnded((Pid) id) ? Atom.OK : error(NOT_FOUND);
        }
        child.terminate(mailbox());
        if (isSimple() || child.spec().restart() == Restart.TEMPORARY) {
            children.remove(child);
        }
        return Atom.OK;
    }

    /** Returns whether a pid of this node is that of no mailbox any more. */
    private boolean hasEnded(Pid pid) throws InterruptedException {
        if (!pid.node().equals(mailbox().pid().node())) {
            return false;
        }
        Ref monitor = mailbox().monitor(pid);
        Term down = mailbox()
                .receive(
                        message -> message instanceof Tuple tuple
                                && tuple.is(OtpAtoms.DOWN, 5)
                                && tuple.get(1).equals(monitor),
                        Duration.ZERO);
        mailbox().demonitor(monitor);
        return down != null;
    }

    private Term restartChild(Term id) throws InterruptedException {
        SupervisedChild child = find(id);
        if (child == null || child.isRunning() || child.isRestarting()) {
            return error(child == null ? NOT_FOUND : busy(child));
        }
        Term failure = child.start(mailbox());
        return failure == null ? Tuple.of(Atom.OK, child.pid()) : error(failure);
    }

    private Term deleteChild(Term id) {
        SupervisedChild child = find(id);
        if (child == null || child.isRunning() || child.isRestarting()) {
            return error(child == null ? NOT_FOUND : busy(child));
        }
        children.remove(child);
        return Atom.OK;
    }

    private static Term busy(SupervisedChild child) {
        return child.isRunning() ? RUNNING : RESTARTING;
    }

    private Term specOf(Term id) {
        if (isSimple()) {
            boolean known = findRunning(id) != null || specs.get(0).id().equals(id);
            return known ? Tuple.of(Atom.OK, ChildSpecFormat.map(specs.get(0))) : error(NOT_FOUND);
        }
        SupervisedChild child = id instanceof Pid ? findRunning(id) : find(id);
        return child == null ? error(NOT_FOUND) : Tuple.of(Atom.OK, ChildSpecFormat.map(child.spec()));
    }

    private @Nullable SupervisedChild find(Term id) {
        return children.stream()
                .filter(child -> child.spec().id().equals(id))
                .findFirst()
                .orElse(null);
    }

    private @Nullable SupervisedChild findRunning(Term pid) {
        return children.stream().filter(child -> child.is(pid)).findFirst().orElse(null);
    }
}
