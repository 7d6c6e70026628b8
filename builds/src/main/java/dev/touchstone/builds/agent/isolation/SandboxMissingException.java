package dev.touchstone.builds.agent.isolation;

/** Thrown when this machine has no sandbox. */
final class SandboxMissingException extends IsolationException {
    private static final long serialVersionUID = 1;

    SandboxMissingException(String reason) {
        super(reason);
    }
}
