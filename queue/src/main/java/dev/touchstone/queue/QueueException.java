package dev.touchstone.queue;

import java.io.IOException;

/** A queue could not do what it was asked to, for a reason outside the caller's arguments; the cause is always there. */
public abstract sealed class QueueException extends RuntimeException
        permits CorruptQueueException,
                QueueClosedException,
                QueueFailedException,
                QueueLockedException,
                QueueRefusedException,
                UndecodableElementException {
    private static final long serialVersionUID = 1;

    QueueException(String message, Throwable cause) {
        super(message, cause);
    }

    QueueException(IOException cause) {
        super(Failures.message(cause), cause);
    }
}
