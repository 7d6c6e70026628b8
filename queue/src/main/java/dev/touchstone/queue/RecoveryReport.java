package dev.touchstone.queue;

import java.time.Duration;

/**
 * What opening a queue found.
 *
 * @param clean whether the last use had closed the queue; also true for a new one
 * @param took how long opening took
 * @param elements in the queue, as {@link DiskQueue#longSize}
 * @param scannedElements whose files were read through, because it was not known that they were whole on the device
 * @param scannedBytes of these files
 * @param damagedPlaces among them, and whole files set aside: each is reported again, with its place, when a consumer comes to it
 */
public record RecoveryReport(
        boolean clean, Duration took, long elements, long scannedElements, long scannedBytes, int damagedPlaces) {}
