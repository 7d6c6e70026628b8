package dev.touchstone.index.server.store;

/** A place at which the process may end with another state of the files than before. Tests stop there; the product passes. */
enum CrashPoint {
    /** Batches are checked, and none of them is in the log. */
    BEFORE_APPEND,
    /** Batches are on the device, and not visible. */
    AFTER_APPEND,
    /** Batches are visible, and not answered. */
    AFTER_PUBLISH,
    /** The version of the next snapshot is fixed, and nothing of it is written. */
    BEFORE_SNAPSHOT,
    /** The snapshot is in its place, and the log still has all entries. */
    AFTER_SNAPSHOT,
    /** The next entry was removed from the log, and others may follow. */
    IN_REMOVAL,
    /** The log has no entry that the snapshot contains. */
    AFTER_REMOVAL;

    /** A receiver of the points that are passed. */
    @FunctionalInterface
    interface Observer {
        /** The observer that does nothing. */
        Observer NONE = point -> {};

        /** Receives a point from the thread that passes it, under the locks of that place. */
        void pass(CrashPoint point);
    }
}
