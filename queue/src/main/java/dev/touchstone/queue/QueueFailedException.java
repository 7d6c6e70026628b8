package dev.touchstone.queue;

import java.io.IOException;

/**
 * Thrown if the file system failed. After a failed write or force of elements, or an acknowledgement that could not be stored, the queue
 * accepts nothing until it is closed and opened again.
 */
public final class QueueFailedException extends QueueException {
    private static final long serialVersionUID = 1;

    QueueFailedException(IOException cause) {
        super(cause);
    }
}
