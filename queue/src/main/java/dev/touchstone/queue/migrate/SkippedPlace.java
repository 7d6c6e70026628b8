package dev.touchstone.queue.migrate;

import java.nio.file.Path;

/**
 * A place in a source from which nothing was copied.
 *
 * @param file the file of the source
 * @param offset offset in the file, in bytes
 * @param damage whether records may be lost; false for the remains of a killed process that held no record
 * @param reason one line for people
 */
public record SkippedPlace(Path file, long offset, boolean damage, String reason) {}
