package dev.touchstone.queue.log;

/**
 * Counters of a log since it was opened, and what it holds now.
 *
 * @param appended records accepted
 * @param writes batches handed to the operating system
 * @param forces those that waited for the device
 * @param writeNanos spent in these writes
 * @param worstWriteNanos of one of them
 * @param refused appends for which there was no room
 * @param dropped records that made room for others
 * @param oldestSequence of the first record still there, consumed or not
 * @param nextSequence that the next record will have
 * @param segments files that hold records
 * @param spares files that wait to hold some
 * @param diskBytes that the former may grow to
 */
public record LogCounts(
        long appended,
        long writes,
        long forces,
        long writeNanos,
        long worstWriteNanos,
        long refused,
        long dropped,
        long oldestSequence,
        long nextSequence,
        int segments,
        int spares,
        long diskBytes) {

    /** Returns these counts without what {@code before} had counted; no count becomes negative where counting has begun anew since. */
    public LogCounts since(LogCounts before) {
        return new LogCounts(
                nextSequence - before.nextSequence,
                Math.max(0, writes - before.writes),
                Math.max(0, forces - before.forces),
                Math.max(0, writeNanos - before.writeNanos),
                worstWriteNanos,
                Math.max(0, refused - before.refused),
                Math.max(0, dropped - before.dropped),
                oldestSequence,
                nextSequence,
                segments,
                spares,
                diskBytes);
    }
}
