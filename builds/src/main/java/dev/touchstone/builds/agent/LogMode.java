package dev.touchstone.builds.agent;

/** The fates of a script's output. */
public enum LogMode {
    /** Nobody wants it. */
    DISCARD,
    /** Kept in a file until {@link BuildAgent#forget}. */
    KEEP
}
