package dev.touchstone.builds.master.job;

import java.time.Duration;

/**
 * The bounds of what is kept of jobs that have ended, the newest first; whatever is reached first counts.
 *
 * @param jobs how many builds, and as many noops
 * @param age since they ended
 * @param logBytes of all of them together
 */
public record Retention(int jobs, Duration age, long logBytes) {
    public static final Retention DEFAULT = new Retention(10_000, Duration.ofDays(30), 10L << 30);
}
