package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.store.Outcome;

/** Calls of listeners; what they throw is logged, and harms no build. */
final class Listeners {
    private static final System.Logger LOGGER = System.getLogger(Listeners.class.getName());

    private Listeners() {}

    static void started(CheckedJob job, String stage) {
        guarded(job, System.Logger.Level.ERROR, () -> job.listener().started(job.assignment(), stage));
    }

    static void logGrew(CheckedJob job, long bytes) {
        guarded(job, System.Logger.Level.DEBUG, () -> job.listener().logGrew(job.assignment(), bytes));
    }

    static void finished(CheckedJob job, Outcome outcome) {
        guarded(job, System.Logger.Level.ERROR, () -> job.listener().finished(job.assignment(), outcome));
    }

    /**
     * Calls a listener, and logs what it throws.
     *
     * @param level the lower, the more often it may happen
     */
    private static void guarded(CheckedJob job, System.Logger.Level level, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            LOGGER.log(level, "the listener of job=" + job.name() + " failed", e);
        }
    }
}
