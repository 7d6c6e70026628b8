package dev.touchstone.messaging.behaviour;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.ErlList;
import dev.touchstone.messaging.term.ErlMap;
import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Child specifications as the terms that Erlang's {@code supervisor} takes and shows. */
final class ChildSpecFormat {
    private static final Atom BRUTAL_KILL = Atom.of("brutal_kill");
    private static final Atom CHILD = Atom.of("child");
    private static final Atom ID = Atom.of("id");
    private static final Atom INFINITY = Atom.of("infinity");
    private static final Atom MODULES = Atom.of("modules");
    private static final Atom RESTART = Atom.of("restart");
    private static final Atom SHUTDOWN = Atom.of("shutdown");
    private static final Atom SIGNIFICANT = Atom.of("significant");
    private static final Atom START = Atom.of("start");
    private static final Atom SUPERVISOR = Atom.of("supervisor");
    private static final Atom TYPE = Atom.of("type");
    private static final Atom WORKER = Atom.of("worker");
    private static final Term DEFAULT_SHUTDOWN = Int.of(5000);
    private static final int OLD_FORM_SIZE = 6;

    private ChildSpecFormat() {}

    /** A specification that is refused, with the reason that Erlang's {@code supervisor} gives. */
    static final class InvalidSpec extends Exception {
        private static final long serialVersionUID = 1;

        private final transient Term reason;

        InvalidSpec(Term reason) {
            super("invalid child specification: reason=" + reason);
            this.reason = reason;
        }

        Term reason() {
            return reason;
        }
    }

    /**
     * Reads a specification, a map or the tuple of earlier days.
     *
     * @param kinds the factories by {@code {Module, Function}}
     * @throws InvalidSpec if it is none; a start function that is not in {@code kinds} makes a child whose start fails
     */
    static ChildSpec parse(Term term, Map<Tuple, ChildFactory> kinds) throws InvalidSpec {
        if (term instanceof ErlMap map) {
            return parse(
                    required(map, ID, "missing_id"),
                    required(map, START, "missing_start"),
                    map.get(RESTART),
                    map.get(SHUTDOWN),
                    map.get(TYPE),
                    kinds);
        }
        if (term instanceof Tuple old && old.size() == OLD_FORM_SIZE) {
            return parse(old.get(0), old.get(1), old.get(2), old.get(3), old.get(4), kinds);
        }
        throw invalid("invalid_child_spec", term);
    }

    private static Term required(ErlMap map, Atom key, String missing) throws InvalidSpec {
        Term value = map.get(key);
        if (value == null) {
            throw new InvalidSpec(Atom.of(missing));
        }
        return value;
    }

    private static InvalidSpec invalid(String what, Term got) {
        return new InvalidSpec(Tuple.of(Atom.of(what), got));
    }

    private static ChildSpec parse(
            Term id,
            Term start,
            @Nullable Term restart,
            @Nullable Term shutdown,
            @Nullable Term type,
            Map<Tuple, ChildFactory> kinds)
            throws InvalidSpec {
        if (!(start instanceof Tuple mfa)
                || mfa.size() != 3
                || !(mfa.get(2) instanceof ErlList arguments)
                || !arguments.isProper()) {
            throw invalid("invalid_mfa", start);
        }
        if (type != null && !type.equals(WORKER) && !type.equals(SUPERVISOR)) {
            throw invalid("invalid_child_type", type);
        }
        boolean isSupervisor = SUPERVISOR.equals(type);
        Term given = shutdown == null ? (isSupervisor ? INFINITY : DEFAULT_SHUTDOWN) : shutdown;
        ChildFactory factory = kinds.get(Tuple.of(mfa.get(0), mfa.get(1)));
        return new ChildSpec(
                id,
                mfa,
                factory == null ? undefined(mfa) : factory,
                restart == null ? Restart.PERMANENT : restart(restart),
                shutdown(given),
                isSupervisor,
                ServerOptions.DEFAULT);
    }

    /** Returns a factory that fails as a call of an undefined function does. */
    private static ChildFactory undefined(Tuple mfa) {
        Term where = Tuple.of(mfa.get(0), mfa.get(1), mfa.get(2), ErlList.EMPTY);
        Term reason = Tuple.of(OtpAtoms.EXIT, Tuple.of(Atom.of("undef"), ErlList.of(where)));
        return arguments -> {
            throw new StartFailedException(mfa.toString(), reason, null);
        };
    }

    private static Restart restart(Term given) throws InvalidSpec {
        for (Restart restart : Restart.values()) {
            if (given.equals(atom(restart))) {
                return restart;
            }
        }
        throw invalid("invalid_restart_type", given);
    }

    private static Duration shutdown(Term given) throws InvalidSpec {
        if (given.equals(BRUTAL_KILL)) {
            return Duration.ZERO;
        }
        if (given.equals(INFINITY)) {
            return ChildSpec.FOR_EVER;
        }
        if (given instanceof Int millis && millis.value() >= 0) {
            return Duration.ofMillis(millis.value());
        }
        throw invalid("invalid_shutdown", given);
    }

    private static Atom atom(Enum<?> constant) {
        return Atom.of(constant.name().toLowerCase(Locale.ROOT));
    }

    /** Returns {@code worker} or {@code supervisor}. */
    static Atom type(ChildSpec spec) {
        return spec.isSupervisor() ? SUPERVISOR : WORKER;
    }

    /** Returns the modules, of which a child has one: that of its start function. */
    static Term modules(ChildSpec spec) {
        return ErlList.of(List.of(spec.start().get(0)));
    }

    /** Returns the map that {@code supervisor:get_childspec} shows. */
    static Term map(ChildSpec spec) {
        return ErlMap.of(
                ID,
                spec.id(),
                START,
                start(spec),
                RESTART,
                atom(spec.restart()),
                SHUTDOWN,
                shutdown(spec),
                TYPE,
                type(spec),
                MODULES,
                modules(spec),
                SIGNIFICANT,
                Atom.FALSE);
    }

    /** Returns the tuple that stands in the reason of a start that failed. */
    static Term failed(ChildSpec spec) {
        return Tuple.of(
                CHILD,
                Atom.UNDEFINED,
                spec.id(),
                spec.start(),
                atom(spec.restart()),
                Atom.FALSE,
                shutdown(spec),
                type(spec),
                modules(spec));
    }

    /** Returns the start function; Erlang forgets the arguments of a child that is never started again. */
    private static Term start(ChildSpec spec) {
        Tuple mfa = spec.start();
        return spec.restart() == Restart.TEMPORARY ? Tuple.of(mfa.get(0), mfa.get(1), Atom.UNDEFINED) : mfa;
    }

    private static Term shutdown(ChildSpec spec) {
        if (spec.shutdown().isZero()) {
            return BRUTAL_KILL;
        }
        return spec.shutdown().equals(ChildSpec.FOR_EVER)
                ? INFINITY
                : Int.of(spec.shutdown().toMillis());
    }
}
