package dev.touchstone.builds;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Something that was asked for was refused, or could not be done; the code says which kind of reason, the message the one reason. */
public final class BuildException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final BuildCode code;

    public BuildException(BuildCode code, String message) {
        this(code, message, null);
    }

    public BuildException(BuildCode code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = Objects.requireNonNull(code);
    }

    public BuildCode code() {
        return code;
    }
}
