package dev.touchstone.builds.agent.isolation;

/** The kinds of isolation that an operator can ask for. */
public enum IsolationMode {
    /** The sandbox where this machine has one, and else nothing, with a warning. */
    AUTO,
    /** The sandbox; an agent that cannot have it does not start. */
    SANDBOX,
    /** No boundary: scripts can do whatever the agent's user can. */
    NONE
}
