package dev.touchstone.queue;

/** What {@code offer} does with an element for which a queue's limits leave no room. */
public enum WhenFull {
    /** Wait for room; an interrupted thread gets false and keeps its interrupt. */
    BLOCK,

    /** Return false, having told the {@linkplain DiskQueueBuilder#onRejected handler} if there is one; {@code add} throws. */
    REJECT,

    /** Remove the oldest elements until there is room; false, with nothing lost, once the oldest is on lease. */
    DROP_OLDEST
}
