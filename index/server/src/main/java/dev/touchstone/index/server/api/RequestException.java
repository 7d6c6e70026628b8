package dev.touchstone.index.server.api;

/** Thrown when a request cannot be answered as it is. */
final class RequestException extends Exception {
    private static final long serialVersionUID = 1;

    static final int BAD = 400;
    static final int NONE = 404;
    static final int AMBIGUOUS = 409;
    static final int TOO_LARGE = 413;
    static final int UNFIT = 422;

    private final int status;

    RequestException(int status, String message) {
        super(message, null, false, false); // without a stack trace, which would cost more than an answer
        this.status = status;
    }

    int status() {
        return status;
    }

    /** Returns the message, which is never null. */
    String text() {
        return String.valueOf(getMessage());
    }
}
