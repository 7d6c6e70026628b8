package dev.touchstone.index.server.store;

import java.util.List;

/**
 * The state of a store that is not open.
 *
 * @param isSnapshotWhole whether every byte of the snapshot is as it was written
 * @param snapshotVersion version that the snapshot contains; 0 if it cannot be read
 * @param entries number of entries in the log that make versions after that of the snapshot
 * @param logBytes length of these entries, in bytes
 * @param version version of the index after all entries that can be read; 0 if the snapshot cannot be read
 * @param prices number of prices at that version
 * @param losses descriptions of entries and versions that are lost
 * @param problems damaged places, and entries that cannot be used, with their reasons
 * @param opens whether the store opens as it is
 * @param isRepairable whether a repair makes it one that opens, without what is lost
 */
public record StoreReport(
        boolean isSnapshotWhole,
        long snapshotVersion,
        int entries,
        long logBytes,
        long version,
        long prices,
        List<String> losses,
        List<String> problems,
        boolean opens,
        boolean isRepairable) {
    /** Creates a report with copies of the lists. */
    public StoreReport {
        losses = List.copyOf(losses);
        problems = List.copyOf(problems);
    }
}
