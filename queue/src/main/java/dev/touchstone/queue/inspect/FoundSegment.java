package dev.touchstone.queue.inspect;

/**
 * A log file.
 *
 * @param file its name
 * @param bytes its size
 * @param firstSequence of the first element that it may hold
 * @param elements that it holds whole, consumed or not; where it was not scanned, the number that was appended to it
 * @param compressed whether its owner has compressed it
 */
public record FoundSegment(String file, long bytes, long firstSequence, long elements, boolean compressed) {}
