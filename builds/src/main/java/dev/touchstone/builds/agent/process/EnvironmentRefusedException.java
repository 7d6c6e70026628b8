package dev.touchstone.builds.agent.process;

/** An environment asks for what no script gets; says which name, and never a value. */
public final class EnvironmentRefusedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    EnvironmentRefusedException(String message) {
        super(message);
    }
}
