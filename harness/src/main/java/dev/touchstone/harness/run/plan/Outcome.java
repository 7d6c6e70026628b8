package dev.touchstone.harness.run.plan;

/**
 * The end of a session.
 *
 * @param end why it stopped
 * @param rounds complete rounds, earlier sessions of the same folder included
 * @param failedForks forks without a score
 */
public record Outcome(End end, int rounds, int failedForks) {
    /** Why a session stopped. */
    public enum End {
        /** All rounds are done. */
        COMPLETE,
        /** The remaining forks did not fit the budget. */
        BUDGET,
        /** Asked to stop; the folder can be resumed. */
        INTERRUPTED
    }
}
