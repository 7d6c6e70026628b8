package dev.touchstone.messaging.behaviour;

import dev.touchstone.messaging.term.Term;
import org.jspecify.annotations.Nullable;

/** A server that was not started, since its {@code init} failed or refused. */
public final class StartFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Term reason;

    StartFailedException(String server, Term reason, @Nullable Throwable cause) {
        super("server was not started: server=" + server + " reason=" + reason, cause);
        this.reason = reason;
    }

    /**
     * Returns the reason as Erlang's {@code {error, Reason}} would have it.
     *
     * @return the reason that {@link GenServer#stop} was given, or {@code {Text, []}} of an exception
     */
    public Term reason() {
        return reason;
    }
}
