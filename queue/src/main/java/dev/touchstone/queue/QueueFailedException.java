package dev.touchstone.queue;

import java.io.IOException;

/** The file system refused something. After a failed write the queue accepts nothing until it is opened again. */
public final class QueueFailedException extends QueueException {
    private static final long serialVersionUID = 1;

    QueueFailedException(IOException cause) {
        super(cause);
    }
}
