package dev.touchstone.queue.log.consume;

/** A cursor in the {@link ConsumptionJournal}: what it has consumed, and what of that waits to be written. The journal's locks guard it. */
final class JournaledCursor {
    private final ConsumerState state;
    private final PendingConsumption deferred;
    private final PendingConsumption pending;
    private volatile long inTurn;
    private boolean removed;

    JournaledCursor(ConsumerState state) {
        this.state = state;
        this.deferred = new PendingConsumption(state.id());
        this.pending = new PendingConsumption(state.id());
    }

    ConsumerState state() {
        return state;
    }

    /** Returns what no slot says yet. */
    PendingConsumption deferred() {
        return deferred;
    }

    /** Returns what no batch has carried yet. */
    PendingConsumption pending() {
        return pending;
    }

    /** Returns a sequence before which everything is consumed, whether or not the state says so yet. Any thread's. */
    long inTurn() {
        return inTurn;
    }

    /** Sets what {@link #inTurn} returns. By one thread at a time, and never to less. */
    void consumedInTurn(long end) {
        inTurn = end;
    }

    /** Marks the cursor as one that the journal does not know any more. */
    void remove() {
        removed = true;
    }

    boolean isRemoved() {
        return removed;
    }
}
