package dev.touchstone.builds.master;

import dev.touchstone.builds.master.journal.Submitter;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * An index of jobs by their submitter and the submitter's number of the request: a hash table with linear probing, which takes 8 to 16 bytes a job. Of jobs
 * that have both in common, the last is found. The dispatcher's.
 */
final class SubmissionIndex {
    /*
     * Invariants:     at most half of the table is used; between a job and its slot there is no empty place.
     */
    private static final int FIRST_CAPACITY = 64; // a power of two, as all

    private final long secret = new SecureRandom().nextLong(); // clients choose the numbers, and could have them meet
    private @Nullable Job[] table = new @Nullable Job[FIRST_CAPACITY];
    private int size;

    /** Returns the job of a client's request; null if there is none. */
    @Nullable
    Job find(Submitter submitter, long requestNumber) {
        return table[place(submitter, requestNumber)];
    }

    /** Adds a job, in place of one of the same request. */
    void put(Job job) {
        if (2 * (size + 1) > table.length) {
            grow();
        }
        int place = place(job.submitter, job.requestNumber);
        size += table[place] == null ? 1 : 0;
        table[place] = job;
    }

    /** Removes a job; nothing happens if another has taken its place. */
    @SuppressWarnings("ReferenceEquality") // another job of the same request stays
    void remove(Job job) {
        int gap = place(job.submitter, job.requestNumber);
        if (table[gap] != job) {
            return;
        }
        size--;
        table[gap] = null;
        int mask = table.length - 1;
        int at = (gap + 1) & mask;
        for (Job moved = table[at]; moved != null; moved = table[at]) {
            int slot = slot(moved.submitter, moved.requestNumber);
            if (((at - slot) & mask) >= ((at - gap) & mask)) { // it may stand at the gap
                table[gap] = moved;
                table[at] = null;
                gap = at;
            }
            at = (at + 1) & mask;
        }
    }

    /** Returns where a request's job stands, or the empty place where it would. */
    @SuppressWarnings("ReferenceEquality") // most are the same object
    private int place(Submitter submitter, long requestNumber) {
        int at = slot(submitter, requestNumber);
        for (Job job = table[at]; job != null; job = table[at]) {
            if (job.requestNumber == requestNumber && (job.submitter == submitter || job.submitter.equals(submitter))) {
                return at;
            }
            at = (at + 1) & (table.length - 1);
        }
        return at;
    }

    private int slot(Submitter submitter, long requestNumber) {
        long mixed = (Long.rotateLeft(submitter.client(), 32) ^ requestNumber ^ secret) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 32) * 0xD6E8FEB86659FD93L;
        return (int) (mixed >>> 32) & (table.length - 1);
    }

    private void grow() {
        @Nullable Job[] before = table;
        table = new @Nullable Job[2 * before.length];
        for (Job job : before) {
            if (job != null) {
                table[place(job.submitter, job.requestNumber)] = job;
            }
        }
    }
}
