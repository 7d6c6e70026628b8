package dev.touchstone.harness.run;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The reason why a fork failed, in one line: JMH wraps what the benchmark threw several times over. */
public final class ForkFailure {
    private static final int MAX_CHARS = 500;

    private ForkFailure() {}

    /**
     * Returns the class and the message of the innermost cause.
     *
     * @param failure what was thrown
     * @return one line of limited length
     */
    public static String describe(Throwable failure) {
        return describe(failure, UnaryOperator.identity());
    }

    /** @param hiding what must not be shown is taken out of the message by it, before that is cut */
    static String describe(Throwable failure, UnaryOperator<String> hiding) {
        Throwable root = root(failure, Collections.newSetFromMap(new IdentityHashMap<>()));
        String message = root.getMessage() == null ? "" : ": " + root.getMessage();
        String line = hiding.apply(root.getClass().getSimpleName() + message)
                .replaceAll("\\s+", " ")
                .strip();
        return line.length() <= MAX_CHARS ? line : line.substring(0, MAX_CHARS) + "…";
    }

    private static Throwable root(Throwable failure, Set<Throwable> seen) {
        seen.add(failure);
        Throwable cause = failure.getCause();
        if (cause == null && failure.getSuppressed().length > 0) {
            cause = failure.getSuppressed()[0]; // where JMH puts what the worker threads threw
        }
        return cause == null || seen.contains(cause) ? failure : root(cause, seen);
    }
}
