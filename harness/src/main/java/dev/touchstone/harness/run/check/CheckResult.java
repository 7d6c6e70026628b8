package dev.touchstone.harness.run.check;

import org.jspecify.annotations.Nullable;

/**
 * Outcome of one semantic check.
 *
 * @param workload id of the workload
 * @param subject name of the subject
 * @param error what is wrong; null where nothing is
 * @param unobserved what this machine kept the check from observing; null where it observed everything
 * @param millis duration of the check
 */
public record CheckResult(
        String workload,
        String subject,
        @Nullable String error,
        @Nullable String unobserved,
        long millis) {
    /**
     * Returns whether nothing is wrong with what was observed.
     *
     * @return true if there is no error
     */
    public boolean ok() {
        return error == null;
    }
}
