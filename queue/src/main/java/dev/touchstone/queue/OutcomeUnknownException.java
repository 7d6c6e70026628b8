package dev.touchstone.queue;

import java.io.IOException;

/**
 * Thrown by a {@linkplain DiskQueue#replicated replicated} queue if a call was sent to the other members and not answered: it may have been
 * done, may be done later, or never. An element that was offered may be in the queue; one that was to be polled may be removed; a lease ends
 * by its time. {@link Replication#offer} can be called again without appending twice.
 */
public final class OutcomeUnknownException extends QueueException {
    private static final long serialVersionUID = 1;

    OutcomeUnknownException(IOException cause) {
        super(cause);
    }
}
