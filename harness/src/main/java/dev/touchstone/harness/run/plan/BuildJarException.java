package dev.touchstone.harness.run.plan;

import java.io.IOException;

/** Thrown when a file given as a build is none; the message names the file. */
public final class BuildJarException extends IOException {
    private static final long serialVersionUID = 1L;

    BuildJarException(String message) {
        super(message);
    }
}
