package dev.touchstone.queue.log;

import java.io.IOException;

/** A write or force has failed, so nothing more is accepted until the log is opened again. */
public final class LogFailedException extends IOException {
    private static final long serialVersionUID = 1;

    public LogFailedException(IOException cause) {
        super("log has failed and accepts nothing until it is opened again: " + cause.getMessage(), cause);
    }
}
