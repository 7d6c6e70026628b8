package dev.touchstone.builds.master.journal;

import dev.touchstone.messaging.term.Int;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;

/**
 * Names whoever has submitted a job. Immutable.
 *
 * @param owner name of the token; empty for the token that all share
 * @param client number that the client's process has chosen
 */
public record Submitter(String owner, long client) {
    private static final int MAX_OWNER = 64;

    /** Returns the number alone for the token that all share, as journals had it before there were others. */
    Term toTerm() {
        return owner.isEmpty() ? Words.number(client) : Tuple.of(Words.text(owner), Words.number(client));
    }

    static Submitter fromTerm(Term term) {
        Fields fields = Fields.untagged("submitter", term instanceof Int ? Tuple.of(Words.text(""), term) : term, 2);
        return new Submitter(fields.text(MAX_OWNER), fields.natural());
    }
}
