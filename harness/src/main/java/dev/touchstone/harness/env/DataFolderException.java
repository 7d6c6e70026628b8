package dev.touchstone.harness.env;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Thrown when the folder that benchmarks are to write to can't be used; the message is one line for the user. */
public final class DataFolderException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    DataFolderException(Reason reason, Path folder, String what, @Nullable Throwable cause) {
        super("data folder " + folder + " " + what, cause);
        this.reason = reason;
    }

    /** Why the folder can't be used. */
    public Reason reason() {
        return reason;
    }

    /** What may be wrong with a data folder. */
    public enum Reason {
        /** There is nothing by that name. */
        MISSING,
        /** It is a file. */
        NOT_A_FOLDER,
        /** Files can't be made in it. */
        READ_ONLY,
        /** There is no space left. */
        FULL,
        /** The device reports an error. */
        FAILING
    }
}
