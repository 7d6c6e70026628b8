package dev.touchstone.messaging.dist;

import dev.touchstone.messaging.stats.EndKind;
import java.io.EOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The cause for which a node ends a connection. */
public final class ConnectionEndedException extends IOException {
    private static final long serialVersionUID = 1;

    private final EndKind kind;

    /**
     * Creates a cause.
     *
     * @param kind kind of cause
     * @param message cause in words
     */
    public ConnectionEndedException(EndKind kind, String message) {
        this(kind, message, null);
    }

    ConnectionEndedException(EndKind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /**
     * Returns the kind of a cause; other exceptions than these come from reading and writing.
     *
     * @param cause cause that a connection was ended with
     * @return kind of it
     */
    public static EndKind kindOf(IOException cause) {
        if (cause instanceof ConnectionEndedException ended) {
            return ended.kind;
        }
        return cause instanceof EOFException ? EndKind.CLOSED_BY_PEER : EndKind.BROKEN;
    }
}
