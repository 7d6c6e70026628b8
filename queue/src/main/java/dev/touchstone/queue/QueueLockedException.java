package dev.touchstone.queue;

import java.io.IOException;

/** Thrown if a queue's folder is in use by another open queue, of this process or of the one whose id the message names. */
public final class QueueLockedException extends QueueException {
    private static final long serialVersionUID = 1;

    QueueLockedException(IOException cause) {
        super(cause);
    }
}
