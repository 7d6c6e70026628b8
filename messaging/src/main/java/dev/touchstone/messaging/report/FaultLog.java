package dev.touchstone.messaging.report;

import java.lang.System.Logger;
import org.jspecify.annotations.Nullable;

/** The log of faults of this code and of errors of the JVM, for all nodes of a process. Thread-safe. */
public final class FaultLog {
    private static final Logger LOG = System.getLogger(NodeLog.NAME);
    private static final int MAX_LINES = 60;
    private static final LogBudget LINES = new LogBudget(MAX_LINES);

    private FaultLog() {}

    /**
     * Logs a fault at level ERROR. Never throws: where the log itself fails, as without memory, the caller still goes on.
     *
     * @param what the failure and its consequence, in words
     * @param cause the exception or error
     */
    public static void report(String what, Throwable cause) {
        report(what, "", cause);
    }

    /**
     * Logs a fault of something at level ERROR. Never throws, also where the text cannot be made: a thread that must not end calls this
     * with parts of the text, since it has no guard of its own for putting them together.
     *
     * @param what the failure and its consequence, in words
     * @param subject stands behind these words
     * @param cause the exception or error
     */
    public static void report(String what, Object subject, Throwable cause) {
        log(Logger.Level.ERROR, what, subject, cause);
    }

    /** Lets the next lines through, whatever was logged before. For tests, which share a process. */
    public static void renewBudget() {
        LINES.renew();
    }

    /** Has the class ready before the first fault: one that cannot be initialised without memory stays unusable for good. */
    public static void load() {
        boolean unused = LOG.isLoggable(Logger.Level.ERROR);
    }

    /**
     * Logs a message at level WARNING. Never throws.
     *
     * @param what the event, with the values that a reader needs
     */
    public static void warn(String what) {
        log(Logger.Level.WARNING, what, "", null);
    }

    private static void log(Logger.Level level, String what, Object subject, @Nullable Throwable cause) {
        try {
            long suppressed = LINES.admit(System.nanoTime());
            if (suppressed != LogBudget.REFUSED) {
                String text = what.concat(subject.toString());
                LOG.log(level, suppressed == 0 ? text : text.concat(" suppressedBefore=" + suppressed), cause);
            }
        } catch (Throwable unreported) {
            // logging failed too, as without memory for the message; the caller still handles the first fault
        }
    }
}
