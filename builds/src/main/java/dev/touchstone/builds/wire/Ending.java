package dev.touchstone.builds.wire;

import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.messaging.term.Term;
import dev.touchstone.messaging.term.Tuple;
import java.time.Duration;

/**
 * How a job ended: {@code {Code, ExitCode, Message, PullNanos, BuildNanos, Attempts, Agent, LogBytes, Truncated}}.
 *
 * @param pullNanos how long fetching took
 * @param buildNanos how long the script took
 */
public record Ending(
        BuildCode code,
        int exitCode,
        String message,
        long pullNanos,
        long buildNanos,
        int attempts,
        String agent,
        long logBytes,
        boolean truncated) {
    private static final int ELEMENTS = 9;

    /** The ending as a term. */
    public Term toTerm() {
        return Tuple.wrap(new Term[] {
            Words.number(code.number()),
            Words.number(exitCode),
            Words.text(message),
            Words.number(pullNanos),
            Words.number(buildNanos),
            Words.number(attempts),
            Words.text(agent),
            Words.number(logBytes),
            Words.flag(truncated)
        });
    }

    /**
     * The ending that a term is.
     *
     * @throws WireException if it is none
     */
    public static Ending read(Term term) {
        Fields fields = Fields.untagged("ending", term, ELEMENTS);
        return new Ending(
                code(fields),
                (int) fields.number(Integer.MIN_VALUE, Integer.MAX_VALUE),
                fields.text(),
                fields.natural(),
                fields.natural(),
                fields.count(Integer.MAX_VALUE),
                fields.text(),
                fields.natural(),
                fields.flag());
    }

    static BuildCode code(Fields fields) {
        int number = fields.count(255);
        return BuildCode.of(number).orElseThrow(() -> new WireException("no such code: number=" + number));
    }

    /** Returns this ending with another message. */
    public Ending withMessage(String text) {
        return new Ending(code, exitCode, text, pullNanos, buildNanos, attempts, agent, logBytes, truncated);
    }

    /** The result of a job. */
    public BuildResult of(String jobId) {
        return new BuildResult(
                jobId,
                code,
                exitCode,
                message,
                Duration.ofNanos(pullNanos),
                Duration.ofNanos(buildNanos),
                attempts,
                agent,
                logBytes,
                truncated);
    }
}
