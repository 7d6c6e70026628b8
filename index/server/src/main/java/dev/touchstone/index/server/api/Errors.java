package dev.touchstone.index.server.api;

import java.nio.charset.StandardCharsets;

/** Methods that write the answer to a request that failed. */
final class Errors {
    private Errors() {}

    /** Writes a line of text. */
    static void text(RequestException failure, Answer answer) {
        answer.truncate(0);
        answer.status(failure.status());
        answer.type(ContentType.TEXT);
        answer.put(failure.text().getBytes(StandardCharsets.UTF_8)).put('\n');
    }

    /** Writes an object with status and message. */
    static void json(RequestException failure, Answer answer) {
        answer.truncate(0);
        answer.status(failure.status());
        answer.type(ContentType.JSON);
        answer.put('{');
        member(failure.status(), failure.text(), answer);
        answer.put('}').put('\n');
    }

    /** Writes the member {@code error} of an object. */
    static void member(int status, String message, Answer answer) {
        answer.ascii("\"error\":{\"status\":")
                .digits(status)
                .ascii(",\"message\":")
                .json(message)
                .put('}');
    }

    /** Writes the begin of an object whose first member is {@code error}, with the message only, as version 4 has it. */
    static void message(RequestException failure, Answer answer) {
        answer.ascii("{\"error\":{\"message\":").json(failure.text()).put('}');
    }
}
