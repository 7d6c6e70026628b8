package dev.touchstone.queue;

import java.io.IOException;

/**
 * The file system had no room or no file for an element, which is most likely not in the queue; nothing accepted is lost, and the queue
 * goes on as soon as the cause is gone.
 */
public final class QueueRefusedException extends QueueException {
    private static final long serialVersionUID = 1;

    QueueRefusedException(IOException cause) {
        super(cause);
    }
}
