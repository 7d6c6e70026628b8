package dev.touchstone.harness.env;

/**
 * A fact about the machine and what it means for the figures.
 *
 * @param name {@code fdatasync of 512 B}
 * @param meaning one sentence for the reader of a table
 */
public record Finding(String name, String value, String meaning, Severity severity) {

    /** Degrees to which a fact impairs the figures. */
    public enum Severity {
        /** The fact impairs nothing. */
        OK,
        /** The fact must be known when the figures are read. */
        NOTE,
        /** Figures made here mislead unless it's mended. */
        WARN
    }
}
