package dev.touchstone.queue;

import java.io.IOException;

/** The queue was closed. */
public final class QueueClosedException extends QueueException {
    private static final long serialVersionUID = 1;

    QueueClosedException(IOException cause) {
        super(cause);
    }
}
