package dev.touchstone.queue;

/** A policy for an element that is offered while a queue's limits leave no room for it. */
public enum WhenFull {
    /** Wait for room, for as long as it takes; {@code offer} returns false to an interrupted thread, which stays interrupted. */
    BLOCK,

    /** Return false, having told the {@linkplain DiskQueueBuilder#onRejected handler}; {@code add} throws {@link IllegalStateException}. */
    REJECT,

    /**
     * Remove the oldest elements until there is room. {@code offer} returns false once the oldest is on lease; elements that were removed
     * before it came to that stay removed.
     */
    DROP_OLDEST
}
