package dev.touchstone.queue.inspect;

import java.io.IOException;

/** The queue of a folder is open. */
public final class FolderInUseException extends IOException {
    private static final long serialVersionUID = 1;

    FolderInUseException(String message) {
        super(message + "; close the queue first");
    }
}
