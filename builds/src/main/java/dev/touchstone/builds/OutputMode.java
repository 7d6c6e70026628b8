package dev.touchstone.builds;

/** The places that a build's output goes to. */
public enum OutputMode {
    /** Nowhere: the script runs, and what it prints is dropped on its machine. */
    DISCARD,
    /** The master's log, which viewers follow. */
    STREAM,
    /** The log as for {@link #STREAM}, and a file in the folder that the master was given. */
    FILES,
    /** The log as for {@link #STREAM}, and a string in the Redis that the master was given. */
    REDIS
}
