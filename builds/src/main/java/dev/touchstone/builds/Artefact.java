package dev.touchstone.builds;

/**
 * Describes a file that a build has handed to the master. Immutable.
 *
 * @param name path relative to the sources, with slashes
 * @param size in bytes
 * @param sha256 digest of the content, 64 hexadecimal digits in lower case
 */
public record Artefact(String name, long size, String sha256) {}
