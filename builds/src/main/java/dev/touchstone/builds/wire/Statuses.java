package dev.touchstone.builds.wire;

import io.grpc.Status;
import java.util.EnumSet;
import java.util.Set;

/** Meanings of the statuses with which streams end. Stateless. */
public final class Statuses {
    private static final Set<Status.Code> REFUSALS = EnumSet.of(
            Status.Code.UNAUTHENTICATED,
            Status.Code.PERMISSION_DENIED,
            Status.Code.FAILED_PRECONDITION,
            Status.Code.INVALID_ARGUMENT);

    private Statuses() {}

    /** Returns whether the master will not have what was said, however often it is said. */
    public static boolean isRefusal(Status status) {
        return REFUSALS.contains(status.getCode());
    }

    /** Returns the description of a status and the message of its cause, whichever there are, or its code. */
    public static String text(Status status) {
        String said = status.getDescription();
        String cause = status.getCause() == null ? null : status.getCause().getMessage();
        if (said == null) {
            return cause == null ? status.getCode().toString() : cause;
        }
        return cause == null ? said : said + ": " + cause;
    }
}
