package dev.touchstone.index.server.api;

import dev.touchstone.index.IndexException;

/** Thrown when a request cannot be answered as it is. */
final class RequestException extends Exception {
    private static final long serialVersionUID = 1;

    static final int BAD = 400;
    static final int NONE = 404;
    static final int AMBIGUOUS = 409;
    static final int TOO_LARGE = 413;
    static final int UNFIT = 422;
    static final int NOT_STORED = 503;

    private static final int MAX_SHOWN = 80; // characters

    private final int status;

    RequestException(int status, String message) {
        super(message, null, false, false); // without a stack trace, which would cost more than an answer
        this.status = status;
    }

    /** Returns the exception for a part of a request that is not as expected; the path is empty for the whole request. */
    static RequestException bad(String path, String reason) {
        return new RequestException(BAD, (path.isEmpty() ? "" : path + ": ") + reason);
    }

    /** Returns the exception for a part of a request that names a field or has a value which the index does not have. */
    static RequestException unfit(String path, IndexException reason) {
        return new RequestException(UNFIT, path + ": " + reason.getMessage());
    }

    /** Returns the start of a text from outside, for messages. */
    static String shown(String text) {
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
    }

    int status() {
        return status;
    }

    /** Returns the message, which is never null. */
    String text() {
        return String.valueOf(getMessage());
    }
}
