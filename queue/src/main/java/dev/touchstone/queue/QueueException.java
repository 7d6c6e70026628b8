package dev.touchstone.queue;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.LogClosedException;
import dev.touchstone.queue.log.LogLockedException;
import dev.touchstone.queue.log.LogRefusedException;
import java.io.IOException;

/** A queue could not do what it was asked to, for a reason outside the caller's arguments; the cause is always there. */
public abstract sealed class QueueException extends RuntimeException
        permits CorruptQueueException,
                QueueClosedException,
                QueueFailedException,
                QueueLockedException,
                QueueRefusedException {
    private static final long serialVersionUID = 1;

    QueueException(IOException cause) {
        super(cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
    }

    static QueueException of(IOException cause) {
        if (cause instanceof CorruptLogException) {
            return new CorruptQueueException(cause);
        }
        if (cause instanceof LogClosedException) {
            return new QueueClosedException(cause);
        }
        if (cause instanceof LogLockedException) {
            return new QueueLockedException(cause);
        }
        if (cause instanceof LogRefusedException) {
            return new QueueRefusedException(cause);
        }
        return new QueueFailedException(cause);
    }
}
