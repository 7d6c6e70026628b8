package dev.touchstone.builds.wire;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.messaging.term.Atom;
import dev.touchstone.messaging.term.Term;

/** {@code {refused, Code, Reason}}: understood by agents and clients of every version. */
public final class Refusals {
    static final Atom TAG = Atom.of("refused");

    private Refusals() {}

    /** The refusal as a term. */
    public static Term of(BuildCode code, String reason) {
        return Words.message(TAG, Words.number(code.number()), Words.text(reason));
    }
}
