package dev.touchstone.builds.agent.process;

import java.io.IOException;

/** A process could not be started; the cause says what the operating system said. */
public final class LaunchException extends IOException {
    private static final long serialVersionUID = 1;

    LaunchException(Command command, IOException cause) {
        super(
                "cannot start command=" + command.words().get(0) + " in folder=" + command.folder() + ": "
                        + cause.getMessage(),
                cause);
    }
}
