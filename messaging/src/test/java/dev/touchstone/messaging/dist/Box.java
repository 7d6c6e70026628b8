package dev.touchstone.messaging.dist;

import org.jspecify.annotations.Nullable;

/** The least that waits at a leader: a queue, and its one consumer. */
final class Box extends ReceiveLeader.Wait {
    private final ReceiveLeader leader;
    private final MailboxQueue queue = new MailboxQueue();

    Box(ReceiveLeader leader) {
        this.leader = leader;
    }

    void put(Object item) {
        queue.offer(item);
        leader.signal(this);
    }

    /** Returns whether nothing was put that was not taken. */
    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Null where the time was up, or the leader closed. */
    @Nullable
    Object take(long nanos) throws InterruptedException {
        Object item = queue.poll();
        if (item == null) {
            leader.await(this, System.nanoTime() + nanos);
            item = queue.poll();
        }
        return item;
    }

    @Override
    protected boolean isOver() {
        return !queue.isEmpty();
    }
}
