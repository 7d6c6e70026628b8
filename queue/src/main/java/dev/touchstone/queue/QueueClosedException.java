package dev.touchstone.queue;

import java.io.IOException;

/** Thrown if the queue was closed, or the cursor was dropped, before or during the call. */
public final class QueueClosedException extends QueueException {
    private static final long serialVersionUID = 1;

    QueueClosedException(IOException cause) {
        super(cause);
    }
}
