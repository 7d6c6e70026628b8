package dev.touchstone.builds.wire;

import io.grpc.Status;

/** Says in words why a stream has ended. Stateless. */
public final class StatusText {
    private StatusText() {}

    /** Returns the description of a status, or its code, and the message of its cause if there is one. */
    public static String of(Status status) {
        String said = status.getDescription();
        Throwable cause = status.getCause();
        return (said == null ? status.getCode().toString() : said) + (cause == null ? "" : ": " + cause.getMessage());
    }
}
