package dev.touchstone.builds.master.journal;

import java.io.IOException;

/** Thrown where the journal has not what was written. The message says what to do next. */
public final class JournalDamagedException extends IOException {
    private static final long serialVersionUID = 1;

    JournalDamagedException(Exception cause) {
        super(
                "journal is damaged: " + cause.getMessage()
                        + "; 'builds verify' says what is lost, 'builds repair' opens the rest",
                cause);
    }
}
