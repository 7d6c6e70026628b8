package dev.touchstone.serialization.schema;

import java.util.List;

/**
 * A comparison of the types of a program with the accepted ones. Immutable.
 *
 * @param violations breaches of rules, by type and field
 * @param changes differences that were not accepted, by type, including those that break no rule
 */
public record LockReport(List<Violation> violations, List<LockChange> changes) {
    /** Creates a report with copies of the lists. */
    public LockReport {
        violations = List.copyOf(violations);
        changes = List.copyOf(changes);
    }

    /**
     * Returns whether the program has exactly the accepted types.
     *
     * @return whether there are no changes
     */
    public boolean isAccepted() {
        return changes.isEmpty();
    }

    /**
     * Returns whether no rule is broken. There may be changes to accept nevertheless.
     *
     * @return whether there are no violations
     */
    public boolean isCompatible() {
        return violations.isEmpty();
    }
}
