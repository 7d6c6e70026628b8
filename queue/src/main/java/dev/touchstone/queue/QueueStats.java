package dev.touchstone.queue;

/**
 * Counters of one open queue since it was opened, and its size now; a snapshot, not updated.
 *
 * @param appended records accepted
 * @param polled records removed
 * @param writes batches handed to the operating system
 * @param forces writes that waited for the device; {@code appended / forces} is the mean group of a group commit
 * @param size records in the queue
 * @param segments log files
 * @param diskBytes bytes that the log files take
 */
public record QueueStats(
        long appended, long polled, long writes, long forces, long size, int segments, long diskBytes) {}
