package dev.touchstone.queue.replication;

/**
 * A check that the calling thread has stack enough for a call of a member. Calls enter queues and locks that they share with others: one that runs out of stack inside
 * of them would leave a lock taken, or an entry of a queue that nobody takes, and other calls would wait for it.
 */
public final class CallerStack {
    private static final int NEEDED_FRAMES = 512; // of few bytes each; those of a call are some twenty, larger ones

    private CallerStack() {}

    /**
     * Checks the stack that is left, before a call changes anything.
     *
     * @throws StackOverflowError if it is too little
     */
    public static void require() {
        int unused = require(NEEDED_FRAMES);
    }

    private static int require(int frames) {
        return frames == 0 ? 0 : 1 + require(frames - 1);
    }
}
