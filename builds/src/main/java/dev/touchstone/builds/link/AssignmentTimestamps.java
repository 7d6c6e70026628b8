package dev.touchstone.builds.link;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.OptionalLong;

/**
 * The moments at which the agent came to know that the master has been given jobs, which may be long before the agent is given them. A fetch that began
 * later serves the job, so that many jobs that wait at the master cost one fetch. Cleared for each session: another master, or another life of it, may give
 * numbers again. Used by one thread.
 */
final class AssignmentTimestamps {
    private static final int MAX_HEARD = 1024;

    private final ArrayDeque<Heard> heard = new ArrayDeque<>(); // both numbers grow

    private record Heard(long newest, long moment) {}

    void clear() {
        heard.clear();
    }

    /** Notes that the master has been given all jobs up to a number. */
    void heard(long newest, long moment) {
        Heard last = heard.peekLast();
        if (last != null && last.newest >= newest) {
            return;
        }
        if (heard.size() == MAX_HEARD) {
            Heard unused = heard.removeFirst(); // jobs as old as that are served by the later fetches of younger ones
        }
        heard.addLast(new Heard(newest, moment));
    }

    /** Returns the moment at which a job was known to the agent first; empty if it is not known. */
    OptionalLong of(long job) {
        for (Iterator<Heard> each = heard.iterator(); each.hasNext(); ) {
            Heard next = each.next();
            if (next.newest >= job) {
                return OptionalLong.of(next.moment);
            }
        }
        return OptionalLong.empty();
    }
}
