package dev.touchstone.index.server.store;

/** A receiver of the progress of work that may take long. The thread that works calls it very often. */
@FunctionalInterface
public interface StoreProgress {
    /** A receiver that does nothing. */
    StoreProgress NONE = (what, done, total) -> {};

    /**
     * Takes the state of the work.
     *
     * @param what kind of work and its unit, such as {@code replayed entries}
     * @param done number of units that are done
     * @param total number of all units; 0 if it is not known
     */
    void at(String what, long done, long total);
}
