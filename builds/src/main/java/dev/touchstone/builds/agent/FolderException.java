package dev.touchstone.builds.agent;

import java.io.IOException;

/** The folder of an attempt, or the files in it, cannot be made. */
final class FolderException extends IOException {
    private static final long serialVersionUID = 1;

    FolderException(IOException cause) {
        super("the job's folder cannot be made: " + cause.getMessage(), cause);
    }
}
