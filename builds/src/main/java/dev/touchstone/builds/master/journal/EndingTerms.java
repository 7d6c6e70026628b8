package dev.touchstone.builds.master.journal;

import dev.touchstone.builds.wire.Checks;
import dev.touchstone.builds.wire.Ending;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.util.Arrays;

/**
 * Endings as terms: {@code {Code, ExitCode, Message, PullNanos, BuildNanos, Attempts, Agent, LogBytes, Truncated}}, and
 * behind these {@code Artefacts, ArtefactBytes} where there are some. Stateless.
 */
final class EndingTerms {
    private static final int ELEMENTS = 9;
    private static final int MAX_ELEMENTS = 11;

    private EndingTerms() {}

    static Term toTerm(Ending ending) {
        Term[] elements = {
            Words.number(ending.code().number()),
            Words.number(ending.exitCode()),
            Words.text(ending.message()),
            Words.number(ending.pullNanos()),
            Words.number(ending.buildNanos()),
            Words.number(ending.attempts()),
            Words.text(ending.agent()),
            Words.number(ending.logBytes()),
            Words.flag(ending.truncated()),
            Words.number(ending.artefacts()),
            Words.number(ending.artefactBytes())
        };
        boolean isLong = ending.artefacts() > 0;
        return Tuple.wrap(isLong ? elements : Arrays.copyOf(elements, ELEMENTS)); // which an earlier version reads too
    }

    /**
     * Returns the ending that a term is.
     *
     * @throws WireException if it is none
     */
    static Ending fromTerm(Term term) {
        Fields fields = Fields.untagged("ending", term, ELEMENTS, MAX_ELEMENTS);
        return new Ending(
                Checks.code(fields.count(255)),
                (int) fields.number(Integer.MIN_VALUE, Integer.MAX_VALUE),
                fields.text(),
                fields.natural(),
                fields.natural(),
                fields.count(Integer.MAX_VALUE),
                fields.text(),
                fields.natural(),
                fields.flag(),
                fields.hasMore() ? fields.count(Integer.MAX_VALUE) : 0,
                fields.hasMore() ? fields.natural() : 0);
    }
}
