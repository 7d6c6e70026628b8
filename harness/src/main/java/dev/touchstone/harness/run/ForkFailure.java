package dev.touchstone.harness.run;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The reason why a fork failed, in one line: JMH wraps what the benchmark threw several times over. */
public final class ForkFailure {
    private static final int MAX_CHARS = 500;

    private ForkFailure() {}

    /**
     * Returns the class of the innermost cause with its message, or with the message of what wraps it if it has none.
     *
     * @param failure what was thrown
     * @return one line of limited length
     */
    public static String describe(Throwable failure) {
        return describe(failure, UnaryOperator.identity());
    }

    /**
     * Describes a failure as {@link #describe(Throwable)} does.
     *
     * @param failure what was thrown
     * @param hiding replaces what must not be shown, before the line is shortened
     * @return one line of limited length
     */
    public static String describe(Throwable failure, UnaryOperator<String> hiding) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Throwable root = failure;
        String message = "";
        for (Throwable next = failure; next != null && seen.add(next); next = cause(next)) {
            root = next;
            message = tells(next) ? ": " + next.getMessage() : message;
        }
        String line = hiding.apply(root.getClass().getSimpleName() + message)
                .replaceAll("\\s+", " ")
                .strip();
        return line.length() <= MAX_CHARS ? line : line.substring(0, MAX_CHARS) + "…";
    }

    /** Returns whether the message says more than the name of its cause or that JMH has caught something. */
    private static boolean tells(Throwable failure) {
        String message = failure.getMessage();
        return message != null
                && !message.equals(String.valueOf(failure.getCause()))
                && !failure.getClass().getName().startsWith("org.openjdk.jmh.");
    }

    private static @Nullable Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null && failure.getSuppressed().length > 0
                ? failure.getSuppressed()[0] // where JMH puts what the worker threads threw
                : cause;
    }
}
