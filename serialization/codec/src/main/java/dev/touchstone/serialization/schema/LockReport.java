package dev.touchstone.serialization.schema;

import java.util.List;

/**
 * How the schemas of a program differ from those that were accepted. Immutable.
 *
 * @param violations of the rules, by type and field
 * @param changes that were not accepted, those that break no rule included, by type
 */
public record LockReport(List<Violation> violations, List<LockChange> changes) {
    public LockReport {
        violations = List.copyOf(violations);
        changes = List.copyOf(changes);
    }

    /** Whether the program has the accepted schemas and no other. */
    public boolean isAccepted() {
        return changes.isEmpty();
    }

    /** Whether no rule is broken; there may be changes to accept. */
    public boolean isCompatible() {
        return violations.isEmpty();
    }
}
