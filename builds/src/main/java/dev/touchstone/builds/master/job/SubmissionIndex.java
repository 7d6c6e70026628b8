package dev.touchstone.builds.master.job;

import dev.touchstone.builds.master.journal.Submitter;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * An index of jobs by their submitter and the submitter's number of the request: a hash table with linear probing, which takes 16 to 32 bytes a job. Of
 * jobs that have both in common, the last is found. The dispatcher's.
 */
final class SubmissionIndex {
    /*
     * Invariants:     at most half of the table is used; between a job and the place that its hash gives it there is no empty one. A place is
     *                 empty where its hash is 0. Jobs are looked at only where hashes are equal, for most of them are in no cache.
     */
    private static final int FIRST_CAPACITY = 64; // a power of two, as all

    private final long secret = new SecureRandom().nextLong(); // clients choose the numbers, and could have them meet
    private @Nullable Job[] jobs = new @Nullable Job[FIRST_CAPACITY];
    private int[] hashes = new int[FIRST_CAPACITY];
    private int size;

    /** Returns the job of a client's request; null if there is none. */
    @Nullable
    Job find(Submitter submitter, long requestNumber) {
        return jobs[place(submitter, requestNumber, hash(submitter, requestNumber))];
    }

    /** Adds a job, in place of one of the same request. */
    void put(Job job) {
        if (2 * (size + 1) > hashes.length) {
            grow();
        }
        int hash = hash(job.submitter, job.requestNumber);
        int place = place(job.submitter, job.requestNumber, hash);
        size += hashes[place] == 0 ? 1 : 0;
        hashes[place] = hash;
        jobs[place] = job;
    }

    /** Removes a job; nothing happens if another has taken its place. */
    @SuppressWarnings("ReferenceEquality") // another job of the same request stays
    void remove(Job job) {
        int gap = place(job.submitter, job.requestNumber, hash(job.submitter, job.requestNumber));
        if (jobs[gap] != job) {
            return;
        }
        size--;
        int mask = hashes.length - 1;
        int at = (gap + 1) & mask;
        for (int moved = hashes[at]; moved != 0; moved = hashes[at]) {
            if (((at - moved) & mask) >= ((at - gap) & mask)) { // it may stand at the gap
                hashes[gap] = moved;
                jobs[gap] = jobs[at];
                gap = at;
            }
            at = (at + 1) & mask;
        }
        hashes[gap] = 0;
        jobs[gap] = null;
    }

    /** Returns where a request's job stands, or the empty place where it would. */
    private int place(Submitter submitter, long requestNumber, int hash) {
        int mask = hashes.length - 1;
        int at = hash & mask;
        while (hashes[at] != 0 && !(hashes[at] == hash && isOf(jobs[at], submitter, requestNumber))) {
            at = (at + 1) & mask;
        }
        return at;
    }

    @SuppressWarnings("ReferenceEquality") // most are the same object
    private static boolean isOf(@Nullable Job job, Submitter submitter, long requestNumber) {
        return job != null
                && job.requestNumber == requestNumber
                && (job.submitter == submitter || job.submitter.equals(submitter));
    }

    /** Returns a hash that is not 0. */
    private int hash(Submitter submitter, long requestNumber) {
        long mixed = (Long.rotateLeft(submitter.client(), 32) ^ requestNumber ^ secret) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 32) * 0xD6E8FEB86659FD93L;
        int hash = (int) (mixed >>> 32);
        return hash == 0 ? 1 : hash;
    }

    private void grow() {
        @Nullable Job[] before = jobs;
        int[] hashesBefore = hashes;
        jobs = new @Nullable Job[2 * before.length];
        hashes = new int[2 * before.length];
        int mask = hashes.length - 1;
        for (int i = 0; i < before.length; i++) {
            int hash = hashesBefore[i];
            if (hash != 0) {
                int at = hash & mask;
                while (hashes[at] != 0) { // all are different
                    at = (at + 1) & mask;
                }
                hashes[at] = hash;
                jobs[at] = before[i];
            }
        }
    }
}
