package dev.touchstone.queue.log;

import java.io.IOException;
import java.nio.file.Path;

/** The folder is in use by another process, or by another log of this one. */
public final class LogLockedException extends IOException {
    private static final long serialVersionUID = 1;

    public LogLockedException(Path lock, String pid) {
        super("log is in use: lock=" + lock + " pid=" + (pid.isEmpty() ? "unknown" : pid));
    }
}
