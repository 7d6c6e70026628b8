package dev.touchstone.queue.replication;

import java.io.IOException;

/** Thrown when a member comes back without the entries that it has confirmed: it has to be removed and added again. */
public final class UnknownMemberException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with this message. */
    public UnknownMemberException(String message) {
        super(message);
    }
}
