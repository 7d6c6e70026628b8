package dev.touchstone.queue;

import java.time.Duration;

/**
 * Counters of one open queue since it was opened, and its size now; a snapshot, not updated.
 *
 * @param appended elements accepted
 * @param polled elements removed through the queue itself, dropped ones included
 * @param rejected elements for which a limit left no room
 * @param dropped elements that made room for others
 * @param skipped elements lost to damage
 * @param writes batches handed to the operating system
 * @param forces writes that waited for the device; {@code appended / forces} is the mean group of a group commit
 * @param writing time spent in all writes
 * @param worstWrite the longest of them
 * @param size elements in the queue
 * @param leased of these, on lease
 * @param oldestSequence number of the first element whose record is still on disk, removed or not
 * @param nextSequence number that the next element will have
 * @param segments log files
 * @param spareSegments files ready to become log files
 * @param diskBytes bytes that the log files may grow to
 */
public record QueueStats(
        long appended,
        long polled,
        long rejected,
        long dropped,
        long skipped,
        long writes,
        long forces,
        Duration writing,
        Duration worstWrite,
        long size,
        int leased,
        long oldestSequence,
        long nextSequence,
        int segments,
        int spareSegments,
        long diskBytes) {}
