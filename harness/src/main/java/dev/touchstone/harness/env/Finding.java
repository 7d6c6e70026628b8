package dev.touchstone.harness.env;

/**
 * One fact about the machine and what it means for the figures.
 *
 * @param name {@code fdatasync of 512 B}
 * @param meaning one sentence for the reader of a table
 */
public record Finding(String name, String value, String meaning, Severity severity) {

    /** How much a fact bears on the figures. */
    public enum Severity {
        /** As it should be. */
        OK,
        /** To be known when the figures are read. */
        NOTE,
        /** Figures made here mislead unless it's mended. */
        WARN
    }
}
