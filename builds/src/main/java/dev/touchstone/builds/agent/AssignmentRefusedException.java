package dev.touchstone.builds.agent;

import dev.touchstone.builds.agent.store.OutcomeCode;

/** The agent does not take an assignment; nothing was done for it. */
public final class AssignmentRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final OutcomeCode code;

    AssignmentRefusedException(OutcomeCode code, String message) {
        super(message);
        this.code = code;
    }

    AssignmentRefusedException(OutcomeCode code, IllegalArgumentException cause) {
        super(cause.getMessage(), cause);
        this.code = code;
    }

    public OutcomeCode code() {
        return code;
    }
}
