package dev.touchstone.queue;

import dev.touchstone.queue.log.CorruptLogException;
import dev.touchstone.queue.log.LogClosedException;
import dev.touchstone.queue.log.LogLockedException;
import dev.touchstone.queue.log.LogRefusedException;
import dev.touchstone.queue.log.MissingCodecException;
import dev.touchstone.queue.replica.UnknownOutcomeException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;

/** Turns failures of the log into the queue's exceptions. */
final class Failures {
    /** Chars of a description of what the user's code threw, so that a dead letter stays small. */
    private static final int MAX_DESCRIPTION = 1000;

    private Failures() {}

    /** Returns the message for a failure; the JDK's exceptions of the file system often have a path as their whole message. */
    static String message(IOException cause) {
        if (cause instanceof FileAlreadyExistsException taken) {
            return "not a folder: path=" + taken.getFile()
                    + " expected=folder got=file; move the file away, or give another folder";
        }
        if (cause instanceof AccessDeniedException denied) {
            return "permission denied: path=" + denied.getFile()
                    + "; a queue must be able to read and write its folder";
        }
        if (cause instanceof FileSystemException file) {
            String reason = file.getReason();
            return "file system refused: path=" + file.getFile() + " cause="
                    + (reason == null ? file.getClass().getSimpleName() : reason);
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /**
     * Returns the description of what the user's code threw, of at most {@link #MAX_DESCRIPTION} chars. Its own may fail, or be null: then it is
     * the name of its class.
     */
    static String describe(Throwable thrown) {
        String description = null;
        try {
            description = thrown.toString();
        } catch (Throwable undescribable) {
            // the name will do
        }
        String text = description == null ? thrown.getClass().getName() : description;
        return text.substring(0, Math.min(text.length(), MAX_DESCRIPTION));
    }

    /** Returns the exception for a failure. */
    static QueueException of(IOException cause) {
        if (cause instanceof CorruptLogException) {
            return new CorruptQueueException(cause);
        }
        if (cause instanceof LogClosedException) {
            return new QueueClosedException(cause);
        }
        if (cause instanceof LogLockedException) {
            return new QueueLockedException(cause);
        }
        if (cause instanceof LogRefusedException) {
            return new QueueRefusedException(cause);
        }
        if (cause instanceof UnknownOutcomeException) {
            return new OutcomeUnknownException(cause);
        }
        if (cause instanceof MissingCodecException) {
            return new UnknownCompressionException(cause);
        }
        return new QueueFailedException(cause);
    }
}
