package dev.touchstone.queue.replication;

import java.io.IOException;

/** Thrown when an entry was not given to the group's log, and never will be: there is no leader, or it has refused the entry. */
public final class NotProposedException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with this message. */
    public NotProposedException(String message) {
        super(message);
    }
}
