package dev.touchstone.builds.agent.isolation;

import java.io.IOException;

/** Thrown when the isolation that the operator asked for cannot be had; the message says why, and what to do. */
public class IsolationException extends IOException {
    private static final long serialVersionUID = 1;

    IsolationException(String message) {
        super(message);
    }
}
