package dev.touchstone.index.server.store;

/**
 * Figures of an open store.
 *
 * @param version current version of the index
 * @param snapshotVersion version that the snapshot on the device contains
 * @param logBytes bytes of the encoded batches in the log, as far as a snapshot does not contain them
 * @param snapshotFailures number of snapshots that failed in the background since the store was opened
 */
public record StoreStats(long version, long snapshotVersion, long logBytes, long snapshotFailures) {}
