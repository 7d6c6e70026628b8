package dev.touchstone.queue;

import java.io.IOException;

/**
 * Thrown if bytes on disk are not what was written. The message names file, offset, what was expected and what was found; {@link
 * DiskQueueBuilder#onDamage} is told the same and decides how the queue goes on.
 */
public final class CorruptQueueException extends QueueException {
    private static final long serialVersionUID = 1;

    CorruptQueueException(IOException cause) {
        super(cause);
    }
}
