package dev.touchstone.queue;

import java.time.Duration;

/**
 * Counters of one open queue since it was opened, and its size now; an immutable snapshot, whose values are read one after the other while
 * other threads go on.
 *
 * @param appended number of elements accepted
 * @param polled number of elements that the queue's own cursor removed, with acknowledged, dropped and cleared ones
 * @param rejected number of calls that offered elements for which a limit left no room; an {@code offerAll} counts once
 * @param dropped number of elements that made room for others
 * @param skipped number of elements that the queue's own cursor lost to damage
 * @param writes number of batches handed to the operating system
 * @param forces number of these writes that waited for the device; {@code appended / forces} is the mean group of a group commit
 * @param writing time spent in all these writes
 * @param worstWrite time spent in the longest of them
 * @param size number of elements in the queue, as {@link DiskQueue#longSize}
 * @param leased number of elements on lease from the queue's own cursor
 * @param oldestSequence number of the first element whose record is still on disk, removed or not
 * @param nextSequence number that the next element will have
 * @param segments number of log files
 * @param spareSegments number of files ready to become log files
 * @param diskBytes number of bytes that the log files may grow to
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
