package dev.touchstone.queue.inspect;

import java.util.List;

/**
 * The content of a queue's folder.
 *
 * @param segments log files in order
 * @param cursors the queue's own first
 * @param damages places that are not what was written
 * @param elements in all log files, consumed or not
 * @param oldestSequence of the first element that is there; that of the next where there is none
 * @param nextSequence that the next element will get
 * @param tailBytes bytes behind the last element that the next open cuts off: spare room, or an append that was never acknowledged
 * @param diskBytes size of all files of the queue
 * @param spareFiles files ready to become log files
 * @param setAsideFiles damaged files that were kept under another name
 */
public record FolderReport(
        List<FoundSegment> segments,
        List<FoundCursor> cursors,
        List<FoundDamage> damages,
        long elements,
        long oldestSequence,
        long nextSequence,
        long tailBytes,
        long diskBytes,
        int spareFiles,
        int setAsideFiles) {

    /** Returns whether some damage matters. */
    public boolean isDamaged() {
        return damages.stream().anyMatch(damage -> !damage.harmless());
    }

    /** Returns how many elements cannot be read any more that some cursor has not consumed. */
    public long lost() {
        return damages.stream().mapToLong(FoundDamage::lost).sum();
    }
}
