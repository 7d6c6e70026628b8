package dev.touchstone.builds.master.job;

import dev.touchstone.builds.master.journal.Journal;
import dev.touchstone.builds.master.journal.SecretsLostException;
import dev.touchstone.builds.wire.RequestMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requests of jobs: in memory up to a bound, and in the journal. The dispatcher's. */
final class AcceptedRequests {
    private final Journal journal;
    private final long mostBytes;
    private long bytes;

    AcceptedRequests(Journal journal, long mostBytes) {
        this.journal = journal;
        this.mostBytes = mostBytes;
    }

    /**
     * Keeps the requests of jobs that are stored together in memory, if there is room for all of them.
     *
     * @return whether they are kept; if not, they must be read from the journal
     */
    boolean hold(List<Job> jobs, List<RequestMessage> requests) {
        long needed = 0;
        for (RequestMessage request : requests) {
            needed += request.weight();
        }
        if (bytes + needed > mostBytes) {
            return false;
        }
        int charge = (int) (needed / jobs.size());
        for (Job job : jobs) {
            job.charge = charge;
            bytes += charge;
        }
        return true;
    }

    /**
     * Returns the request of a job; null if it is nowhere any more.
     *
     * @throws SecretsLostException if its secrets cannot be decrypted
     */
    @Nullable
    RequestMessage of(Job job) throws SecretsLostException {
        RequestMessage held = job.request;
        return held != null ? held : journal.load(job.sequence, job.number);
    }

    void release(Job job) {
        if (job.durable) {
            bytes -= job.charge;
            job.charge = 0;
            job.request = null;
        }
    }
}
