package dev.touchstone.queue.log;

import java.io.IOException;
import java.nio.file.Path;

/** The log was closed. */
public final class LogClosedException extends IOException {
    private static final long serialVersionUID = 1;

    public LogClosedException(Path folder) {
        this("log is closed: folder=" + folder);
    }

    public LogClosedException(String message) {
        super(message);
    }
}
