package dev.touchstone.queue.log;

import java.io.IOException;

/**
 * The file system refused room or a file, and nothing that was promised depends on what it refused: the log goes on as soon as the
 * cause is gone.
 */
public final class LogRefusedException extends IOException {
    private static final long serialVersionUID = 1;

    public LogRefusedException(IOException cause) {
        super(cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
    }
}
