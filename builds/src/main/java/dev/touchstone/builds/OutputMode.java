package dev.touchstone.builds;

/** Where a build's output goes. */
public enum OutputMode {
    /** Nowhere: the script runs, and what it prints is dropped on its machine. */
    DISCARD,
    /** Into the master's log, which viewers follow. */
    STREAM,
    /** As {@link #STREAM}, and into a file of the folder that the master was given. */
    FILES,
    /** As {@link #STREAM}, and into a string of the Redis that the master was given. */
    REDIS
}
