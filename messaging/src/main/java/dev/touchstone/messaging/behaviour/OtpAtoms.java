package dev.touchstone.messaging.behaviour;

import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;

/** Atoms of the conventions between OTP's behaviours. */
final class OtpAtoms {
    static final Atom DOWN = Atom.of("DOWN");
    static final Atom EXIT = Atom.of("EXIT");
    static final Atom GEN_CALL = Atom.of("$gen_call");
    static final Atom GEN_CAST = Atom.of("$gen_cast");
    static final Atom KILLED = Atom.of("killed");
    static final Atom NORMAL = Atom.of("normal");
    static final Atom SHUTDOWN = Atom.of("shutdown");
    static final Atom SYSTEM = Atom.of("system");
    static final Atom TIMEOUT = Atom.of("timeout");

    private OtpAtoms() {}

    /**
     * Returns whether a process that ends with this reason has ended as it should: {@code normal}, {@code shutdown} or {@code {shutdown,
     * Why}}.
     */
    static boolean isOrderly(Term reason) {
        return reason.equals(NORMAL)
                || reason.equals(SHUTDOWN)
                || (reason instanceof Tuple tuple && tuple.is(SHUTDOWN, 2));
    }
}
