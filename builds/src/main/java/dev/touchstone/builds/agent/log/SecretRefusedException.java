package dev.touchstone.builds.agent.log;

/** A secret cannot be masked; says which by its name, and never its value. */
public final class SecretRefusedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    SecretRefusedException(String message) {
        super(message);
    }
}
