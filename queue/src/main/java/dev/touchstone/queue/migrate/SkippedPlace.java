package dev.touchstone.queue.migrate;

import java.nio.file.Path;

/**
 * A place of a source from which nothing was copied.
 *
 * @param file of the source
 * @param offset in the file, in bytes
 * @param damage whether records may be lost; false for what a killed process leaves and nobody misses
 * @param reason one line for people
 */
public record Skipped(Path file, long offset, boolean damage, String reason) {}
