package dev.touchstone.index.server.api;

import java.nio.charset.StandardCharsets;

/** How an answer says that there is none. */
final class Errors {
    private Errors() {}

    /** A line of text. */
    static void text(RequestException failure, Answer answer) {
        answer.truncate(0);
        answer.status(failure.status());
        answer.type(ContentType.TEXT);
        answer.put(failure.text().getBytes(StandardCharsets.UTF_8)).put('\n');
    }

    /** An object with status and message. */
    static void json(RequestException failure, Answer answer) {
        answer.truncate(0);
        answer.status(failure.status());
        answer.type(ContentType.JSON);
        item(failure, answer);
        answer.put('}').put('\n');
    }

    /** The begin of an object that has one member, {@code error}. */
    static void item(RequestException failure, Answer answer) {
        answer.ascii("{\"error\":{\"status\":")
                .digits(failure.status())
                .ascii(",\"message\":")
                .json(failure.text())
                .put('}');
    }

    /** As {@link #item}, with what version 4 has in it. */
    static void message(RequestException failure, Answer answer) {
        answer.ascii("{\"error\":{\"message\":").json(failure.text()).put('}');
    }
}
