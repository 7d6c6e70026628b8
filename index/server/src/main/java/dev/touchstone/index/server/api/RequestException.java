package dev.touchstone.index.server.api;

import dev.touchstone.index.IndexException;
import java.nio.charset.StandardCharsets;

/** Thrown when a request cannot be answered as it is; writes the answer that tells why. */
public final class RequestException extends Exception {
    private static final long serialVersionUID = 1;

    /** Status of a request that cannot be read. */
    public static final int BAD = 400;

    /** Status of a request for something that does not exist. */
    public static final int NONE = 404;

    /** Status of a search that should match one price and matches several. */
    public static final int AMBIGUOUS = 409;

    /** Status of a request whose answer would be too long. */
    public static final int TOO_LARGE = 413;

    /** Status of a request that the index cannot have, such as one with an unknown field. */
    public static final int UNFIT = 422;

    /** Status of an update that could not be stored. */
    public static final int NOT_STORED = 503;

    private static final int MAX_SHOWN = 80; // characters

    private final int status;

    /**
     * Creates an exception without a stack trace.
     *
     * @param status HTTP status
     * @param message reason, for people; not null
     */
    public RequestException(int status, String message) {
        super(message, null, false, false); // without a stack trace, which would cost more than an answer
        this.status = status;
    }

    /**
     * Returns the exception for a part of a request that is not as expected.
     *
     * @param path path of the part, empty for the whole request
     * @param reason what is expected, not null
     * @return exception with status {@link #BAD}
     */
    public static RequestException bad(String path, String reason) {
        return new RequestException(BAD, (path.isEmpty() ? "" : path + ": ") + reason);
    }

    /**
     * Returns the exception for a part of a request that names a field or has a value which the index does not have.
     *
     * @param path path of the part
     * @param reason exception of the index, not null
     * @return exception with status {@link #UNFIT}
     */
    public static RequestException unfit(String path, IndexException reason) {
        return new RequestException(UNFIT, path + ": " + reason.getMessage());
    }

    /**
     * Returns the start of a text from outside, for messages.
     *
     * @param text text of any length, not null
     * @return at most 80 characters of the text, and dots if there are more
     */
    public static String shown(String text) {
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
    }

    /**
     * Returns the HTTP status.
     *
     * @return status of the answer
     */
    public int status() {
        return status;
    }

    /**
     * Returns the message.
     *
     * @return reason, for people; never null
     */
    public String text() {
        return String.valueOf(getMessage());
    }

    /**
     * Replaces an answer by a line of text.
     *
     * @param answer answer to replace, not null
     */
    public void writeText(Response answer) {
        answer.truncate(0);
        answer.status(status);
        answer.type(ContentType.TEXT);
        answer.put(text().getBytes(StandardCharsets.UTF_8)).put('\n');
    }

    /**
     * Replaces an answer by an object with status and message.
     *
     * @param answer answer to replace, not null
     */
    public void writeJson(Response answer) {
        answer.truncate(0);
        answer.status(status);
        answer.type(ContentType.JSON);
        answer.put('{');
        writeMember(answer);
        answer.put('}').put('\n');
    }

    /**
     * Writes the member {@code error} of an object.
     *
     * @param answer answer to write to, not null
     */
    public void writeMember(Response answer) {
        writeMember(status, text(), answer);
    }

    /**
     * Writes the member {@code error} of an object, without an exception.
     *
     * @param status HTTP status
     * @param message reason, for people; not null
     * @param answer answer to write to, not null
     */
    public static void writeMember(int status, String message, Response answer) {
        answer.ascii("\"error\":{\"status\":")
                .digits(status)
                .ascii(",\"message\":")
                .json(message)
                .put('}');
    }

    /**
     * Writes the begin of an object whose first member is {@code error}, with the message only, as version 4 has it.
     *
     * @param answer answer to write to, not null
     */
    public void writeMessage(Response answer) {
        answer.ascii("{\"error\":{\"message\":").json(text()).put('}');
    }
}
