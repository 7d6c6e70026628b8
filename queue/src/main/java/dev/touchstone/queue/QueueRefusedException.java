package dev.touchstone.queue;

import java.io.IOException;

/**
 * Thrown if the file system had no room, or no file descriptor, for what was asked. Nothing accepted is lost, and the queue goes on as soon as
 * the cause is gone. An element whose offer was refused is most likely not in the queue.
 */
public final class QueueRefusedException extends QueueException {
    private static final long serialVersionUID = 1;

    QueueRefusedException(IOException cause) {
        super(cause);
    }
}
