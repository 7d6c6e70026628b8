package dev.touchstone.messaging.etf;

import org.jspecify.annotations.Nullable;

/** A failure to read or write a term. */
public abstract sealed class EtfException extends RuntimeException
        permits MalformedTermException, TermLimitException, TermTooLargeException {
    private static final long serialVersionUID = 1;

    EtfException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
