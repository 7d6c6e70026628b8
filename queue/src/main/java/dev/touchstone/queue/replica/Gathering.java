package dev.touchstone.queue.replica;

/**
 * A caller that waits for the commands of others, at most {@code expected}, until {@code endNanos}. Not a record: Java links the {@code equals} of a record when
 * it is first called, which fails for good where that caller has no stack left.
 */
final class Gathering {
    final int expected;
    private final long endNanos;

    Gathering(int expected, long endNanos) {
        this.expected = expected;
        this.endNanos = endNanos;
    }

    boolean isOver() {
        return System.nanoTime() - endNanos >= 0;
    }
}
