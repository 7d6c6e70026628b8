package dev.touchstone.builds.hook;

import java.util.List;

/**
 * The answer to a delivery of a forge. Immutable.
 *
 * @param jobs ids of the jobs of its delivery
 * @param message why there are none; empty if there are
 */
public record HookAnswer(List<String> jobs, String message) {
    /** Copies the list. */
    public HookAnswer {
        jobs = List.copyOf(jobs);
    }
}
