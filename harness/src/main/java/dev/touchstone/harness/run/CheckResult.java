package dev.touchstone.harness.run;

import org.jspecify.annotations.Nullable;

/**
 * What one semantic check found.
 *
 * @param error what is wrong; null where nothing is
 */
public record CheckResult(
        String workload, String subject, @Nullable String error, long millis) {
    /** Whether the benchmark does what it times. */
    public boolean ok() {
        return error == null;
    }
}
