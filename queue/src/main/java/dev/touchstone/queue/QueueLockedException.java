package dev.touchstone.queue;

import java.io.IOException;

/** The folder is in use by another queue, of this process or of the one that the message names. */
public final class QueueLockedException extends QueueException {
    private static final long serialVersionUID = 1;

    QueueLockedException(IOException cause) {
        super(cause);
    }
}
