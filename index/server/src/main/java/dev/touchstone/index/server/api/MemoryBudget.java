package dev.touchstone.index.server.api;

/** A memory budget that answers share. Thread-safe. */
public interface MemoryBudget {
    /**
     * Takes bytes from the budget.
     *
     * @param bytes number of bytes, at least 0
     * @return false if fewer bytes are left; none are taken then
     */
    boolean take(int bytes);

    /**
     * Gives bytes back to the budget.
     *
     * @param bytes number of bytes that were taken before
     */
    void give(int bytes);
}
