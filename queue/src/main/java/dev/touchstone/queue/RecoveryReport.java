package dev.touchstone.queue;

import java.time.Duration;

/**
 * A summary of what opening a queue found. Immutable.
 *
 * @param clean whether the last use had closed the queue; also true for a new one
 * @param took time that opening took
 * @param elements number of elements in the queue, as {@link DiskQueue#longSize}
 * @param scannedElements number of elements that were read, because it was not known that their files were whole on the device
 * @param scannedBytes number of bytes of these files
 * @param damagedPlaces number of damaged places that were found, with those in the cursors' files and files set aside, without elements that
 *     every cursor has consumed; a damaged element is reported again, with its place, when a consumer comes to it
 */
public record RecoveryReport(
        boolean clean, Duration took, long elements, long scannedElements, long scannedBytes, int damagedPlaces) {}
