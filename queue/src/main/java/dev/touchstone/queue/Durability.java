package dev.touchstone.queue;

/**
 * A level of durability: which faults an element survives once {@code offer} has returned.
 *
 * <table>
 * <caption>An accepted element after a fault</caption>
 * <tr><th>level</th><th>process killed</th><th>operating system crash, power cut</th></tr>
 * <tr><td>{@link #WRITTEN}</td><td>survives</td><td>may be lost, newest first</td></tr>
 * <tr><td>{@link #BATCHED}</td><td>may be lost within the batch limits, newest first</td><td>may be lost, newest first</td></tr>
 * <tr><td>{@link #SYNCED}</td><td>survives</td><td>survives</td></tr>
 * <tr><td>{@link #REPLICATED}</td><td>survives</td><td>survives, also the loss of less than half of the members' disks</td></tr>
 * </table>
 *
 * <p>At each level what survives is a prefix: no element outlives one that was accepted before it.
 */
public enum Durability {
    /** An element is in the operating system's page cache when {@code offer} returns. Elements of concurrent writers share one write. */
    WRITTEN,

    /**
     * An element is in this process's memory when {@code offer} returns. Elements are written in {@linkplain DiskQueueBuilder#batch
     * batches} bounded by elements, bytes and time.
     */
    BATCHED,

    /** An element is on the device when {@code offer} returns. Elements of concurrent writers share one force (group commit). */
    SYNCED,

    /**
     * An element is on the devices of a majority of the queue's members when {@code offer} returns, as is every removal, delivery and cursor
     * when its call returns. See {@link DiskQueue#replicated}.
     */
    REPLICATED
}
