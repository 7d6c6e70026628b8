package dev.touchstone.queue;

import java.io.IOException;

/**
 * A log file is compressed by a {@link Compression} that the queue was not opened with; the message names its id and the file. Nothing was
 * changed: open the queue with {@link DiskQueueBuilder#compression}.
 */
public final class UnknownCompressionException extends QueueException {
    private static final long serialVersionUID = 1;

    UnknownCompressionException(IOException cause) {
        super(cause);
    }
}
