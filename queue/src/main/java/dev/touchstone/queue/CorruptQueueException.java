package dev.touchstone.queue;

import java.io.IOException;

/** Bytes on disk are not what was written; the message names file, offset, expected and got. */
public final class CorruptQueueException extends QueueException {
    private static final long serialVersionUID = 1;

    CorruptQueueException(IOException cause) {
        super(cause);
    }
}
