package dev.touchstone.serialization.hazelcast.predicate;

import org.jspecify.annotations.Nullable;

/** An expression cannot be read, or cannot be applied to the records at hand. The API has an exception of its own for each reason. */
public final class ExpressionException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Reason reason;

    /** Why an expression is no use. */
    public enum Reason {
        /** No schema has the field. */
        UNKNOWN_FIELD,
        /** The field is of a kind that the expression cannot be applied to. */
        UNFIT_KIND,
        /** The bytes are of another version, damaged, or beyond a limit. */
        UNREADABLE
    }

    ExpressionException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    static ExpressionException unreadable(String message) {
        return new ExpressionException(Reason.UNREADABLE, message, null);
    }

    /** Returns why. */
    public Reason reason() {
        return reason;
    }
}
