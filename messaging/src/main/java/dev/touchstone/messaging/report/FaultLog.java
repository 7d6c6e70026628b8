package dev.touchstone.messaging.report;

import java.lang.System.Logger;

/** The log of what should not happen: faults of this code, and errors of the JVM. */
public final class FaultLog {
    private static final Logger LOG = System.getLogger("dev.touchstone.messaging");

    private FaultLog() {}

    /**
     * Logs a fault at level ERROR. Never throws: where the log itself fails, as without memory, the caller still goes on.
     *
     * @param what what failed and what becomes of it
     * @param cause what was thrown
     */
    public static void report(String what, Throwable cause) {
        try {
            LOG.log(Logger.Level.ERROR, what, cause);
        } catch (Throwable unreported) {
            // a second fault, as no memory for the message: the first one is handled all the same
        }
    }

    /**
     * Logs a message at level WARNING. Never throws.
     *
     * @param what what happened, with the values that a reader needs
     */
    public static void warn(String what) {
        try {
            LOG.log(Logger.Level.WARNING, what);
        } catch (Throwable unreported) {
            // as in report
        }
    }
}
