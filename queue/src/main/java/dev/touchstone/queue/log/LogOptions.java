package dev.touchstone.queue.log;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How a log is opened; checked by the builder that makes it.
 *
 * @param folder of this log alone
 * @param commit what an append waits for
 * @param segmentBytes length of a log file, header included
 * @param batchRecords bound on records in memory, {@link Commit#MEMORY} only
 * @param batchBytes bound on bytes in memory, and the size of the shared batches
 * @param batchDelay bound on the time in memory, {@link Commit#MEMORY} only
 * @param lockTimeout how long to wait for another owner of the folder
 */
public record LogOptions(
        Path folder,
        Commit commit,
        int segmentBytes,
        int batchRecords,
        int batchBytes,
        Duration batchDelay,
        Duration lockTimeout) {

    /** Where a record is when its append returns. */
    public enum Commit {
        MEMORY,
        PAGE_CACHE,
        DEVICE
    }
}
