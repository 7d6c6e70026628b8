package dev.touchstone.queue.replica;

import java.io.IOException;

/** Thrown when a call was sent to the other members, and it is not known whether it was or will be done. */
public final class UnknownOutcomeException extends IOException {
    private static final long serialVersionUID = 1L;

    UnknownOutcomeException(String message) {
        super(message);
    }
}
