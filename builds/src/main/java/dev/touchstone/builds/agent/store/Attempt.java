package dev.touchstone.builds.agent.store;

/**
 * An attempt of a job, as its folder remembers it from the beginning. Immutable.
 *
 * @param jobId id of the job; not null
 * @param attempt number of the attempt, 1 for the first
 * @param epoch the master's epoch of the attempt
 * @param mark value by which the attempt's processes are found; not null
 * @param masked whether only the masked log may be read
 */
public record Attempt(String jobId, int attempt, long epoch, String mark, boolean masked) {
    /** Returns the name of the attempt among all of this agent's. */
    String name() {
        return name(jobId, attempt);
    }

    /**
     * Returns the name of an attempt among all of this agent's.
     *
     * @param jobId id of the job; not null
     * @param attempt number of the attempt, 1 for the first
     * @return the name, which may be that of a folder
     */
    public static String name(String jobId, int attempt) {
        return jobId + "-" + attempt;
    }
}
