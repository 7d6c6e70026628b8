package dev.touchstone.queue;

import java.io.IOException;

/**
 * Thrown if a queue could not do what it was asked to, for a reason outside the caller's arguments. The cause is never null: an {@link
 * IOException}, or what a codec threw.
 */
public abstract sealed class QueueException extends RuntimeException
        permits CorruptQueueException,
                OutcomeUnknownException,
                QueueClosedException,
                QueueFailedException,
                QueueLockedException,
                QueueRefusedException,
                UndecodableElementException,
                UnknownCompressionException {
    private static final long serialVersionUID = 1;

    QueueException(String message, Throwable cause) {
        super(message, cause);
    }

    QueueException(IOException cause) {
        super(Failures.message(cause), cause);
    }
}
