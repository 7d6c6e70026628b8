package dev.touchstone.builds.master.job;

import java.time.Duration;

/**
 * The limits of the jobs of a master.
 *
 * @param grace how long a build whose agent is not connected may go on before it counts as lost
 * @param maxAttempts how often a job is given to an agent
 * @param maxQueued jobs that may wait
 * @param quota builds of one named token that may wait, and as many noops
 * @param retention what is kept of jobs that have ended
 * @param requestBytes what requests of waiting jobs may take in memory before they are left in the journal
 */
public record JobLimits(
        Duration grace, int maxAttempts, int maxQueued, int quota, Retention retention, int requestBytes) {}
