package dev.touchstone.queue.replicated;

import java.io.IOException;

/** Thrown when no leader has done a request within its time; the message says what each member that was asked has answered. */
public final class NoLeaderException extends IOException {
    private static final long serialVersionUID = 1L;

    NoLeaderException(String message) {
        super(message);
    }
}
