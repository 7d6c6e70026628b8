package dev.touchstone.queue.log.recover;

/**
 * A summary of what a recovery found.
 *
 * @param clean whether the last use had ended by closing the log
 * @param scannedRecords records of which it was not known whether they were whole
 * @param scannedBytes of the files that hold them
 * @param damagedPlaces among them, and files set aside
 */
public record RecoveryOutcome(boolean clean, long scannedRecords, long scannedBytes, int damagedPlaces) {}
