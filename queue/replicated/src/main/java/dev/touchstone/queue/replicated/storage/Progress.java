package dev.touchstone.queue.replicated.storage;

/** The place up to which a member has applied its log. Thread-safe; no method waits for a lock or throws. */
public interface Progress {
    /** The progress of a log of which everything counts as applied. */
    Progress ALL = new Progress() {
        @Override
        public long appliedIndex() {
            return Long.MAX_VALUE;
        }

        @Override
        public long committedIndex() {
            return Long.MAX_VALUE;
        }
    };

    /** {@return the index up to which the entries were applied} */
    long appliedIndex();

    /** {@return the index up to which the entries can be applied, as a majority has them} */
    long committedIndex();
}
