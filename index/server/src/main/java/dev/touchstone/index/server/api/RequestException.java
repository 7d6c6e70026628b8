package dev.touchstone.index.server.api;

import dev.touchstone.index.IndexException;
import java.nio.charset.StandardCharsets;

/** Thrown when a request cannot be answered as it is; writes the answer that tells why. */
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

    /** Replaces an answer by a line of text. */
    void writeText(Answer answer) {
        answer.truncate(0);
        answer.status(status);
        answer.type(ContentType.TEXT);
        answer.put(text().getBytes(StandardCharsets.UTF_8)).put('\n');
    }

    /** Replaces an answer by an object with status and message. */
    void writeJson(Answer answer) {
        answer.truncate(0);
        answer.status(status);
        answer.type(ContentType.JSON);
        answer.put('{');
        writeMember(answer);
        answer.put('}').put('\n');
    }

    /** Writes the member {@code error} of an object. */
    void writeMember(Answer answer) {
        writeMember(status, text(), answer);
    }

    /** Writes the member {@code error} of an object, without an exception. */
    static void writeMember(int status, String message, Answer answer) {
        answer.ascii("\"error\":{\"status\":")
                .digits(status)
                .ascii(",\"message\":")
                .json(message)
                .put('}');
    }

    /** Writes the begin of an object whose first member is {@code error}, with the message only, as version 4 has it. */
    void writeMessage(Answer answer) {
        answer.ascii("{\"error\":{\"message\":").json(text()).put('}');
    }
}
