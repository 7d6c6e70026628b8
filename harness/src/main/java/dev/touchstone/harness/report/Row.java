package dev.touchstone.harness.report;

import dev.touchstone.harness.stats.PairedRatio;
import dev.touchstone.harness.stats.Summary;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A subject of a group, with its scores.
 *
 * @param subject its name in the matrix
 * @param label its name in tables
 * @param level guarantee that it gives, such as that of durability
 * @param scores by round, of the forks that ended well
 * @param summary of the scores; null where no fork ended well
 * @param ratio ours to this subject, above 1 where ours is better; null for ours itself and where no round has both
 * @param perOperation auxiliary counters divided by the number of operations, by label
 * @param secondary counts of events, and further scores in the unit of the score, such as those of a JMH group's methods, by name
 * @param disturbed number of rounds among the scores that were never quiet
 * @param failed number of forks that failed
 * @param failure why the last of them failed; null where none did
 */
public record Row(
        String subject,
        Kind kind,
        String label,
        String level,
        SortedMap<Integer, Double> scores,
        @Nullable Summary summary,
        @Nullable PairedRatio ratio,
        SortedMap<String, Double> perOperation,
        SortedMap<String, Series> secondary,
        int disturbed,
        int failed,
        @Nullable String failure) {

    /** The part that a subject plays in its group. */
    public enum Kind {
        /** The subject that ratios are taken of. */
        OURS,
        /** A subject that ours is compared with. */
        PEER,
        /** A reference limit, no queue or part: the simplest code that does what must be done. */
        CEILING
    }

    /** Returns whether no fork of the subject has run yet. */
    public boolean pending() {
        return summary == null && failed == 0;
    }
}
