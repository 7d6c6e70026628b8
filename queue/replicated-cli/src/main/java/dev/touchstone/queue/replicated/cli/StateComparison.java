package dev.touchstone.queue.replicated.cli;

import dev.touchstone.queue.replicated.link.MemberReport;
import java.util.List;

/**
 * The comparison of the members' states.
 *
 * @param members number of members
 * @param read number of members whose state was read
 * @param distinct number of different states among them
 */
record StateComparison(int members, int read, int distinct) {

    /** Compares the states that were read. */
    static StateComparison of(List<MemberReport> reports) {
        List<String> digests = reports.stream()
                .filter(MemberReport::isStateRead)
                .map(MemberReport::digest)
                .toList();
        return new StateComparison(reports.size(), digests.size(), (int)
                digests.stream().distinct().count());
    }

    /** Returns whether two states differ. */
    boolean differ() {
        return distinct > 1;
    }

    /** Returns whether the states of all members, at least two, were read and are equal. */
    boolean agree() {
        return members > 1 && read == members && distinct == 1;
    }

    /** Returns the result in words. */
    String summary() {
        if (differ()) {
            return "STATES DIFFER";
        }
        if (agree()) {
            return "all states are equal";
        }
        String count = read + " of " + members + " states " + (read == 1 ? "was" : "were") + " read";
        return read > 1 ? count + ", and these are equal" : count + ": none was compared";
    }
}
