package dev.touchstone.builds;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Says that something that was asked for was refused, or could not be done; the code names the kind of reason, the message the one reason. */
public final class BuildException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final BuildCode code;

    /**
     * Creates an exception without a cause.
     *
     * @param code kind of reason; not null
     * @param message the reason, for people; not null
     */
    public BuildException(BuildCode code, String message) {
        this(code, message, null);
    }

    /**
     * Creates an exception.
     *
     * @param code kind of reason; not null
     * @param message the reason, for people; not null
     * @param cause of it; may be null
     */
    public BuildException(BuildCode code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = Objects.requireNonNull(code);
    }

    /**
     * Returns the kind of reason.
     *
     * @return the code
     */
    public BuildCode code() {
        return code;
    }
}
