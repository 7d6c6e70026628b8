package dev.touchstone.builds.wire;

import io.grpc.Status;

/** Says in words why a stream has ended. Stateless. */
public final class StatusText {
    private StatusText() {}

    /** Returns the description of a status and the message of its cause, whichever there are, or its code. */
    public static String of(Status status) {
        String said = status.getDescription();
        String cause = status.getCause() == null ? null : status.getCause().getMessage();
        if (said == null) {
            return cause == null ? status.getCode().toString() : cause;
        }
        return cause == null ? said : said + ": " + cause;
    }
}
