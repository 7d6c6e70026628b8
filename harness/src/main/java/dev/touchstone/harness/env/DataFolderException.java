package dev.touchstone.harness.env;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Thrown when the folder that benchmarks are to write to can't be used; the message is one line for the user. */
public final class DataFolderException extends IOException {
    private static final long serialVersionUID = 1L;
    private static final double GIB = 1L << 30;

    private final Reason reason;

    DataFolderException(Reason reason, Path folder, String what, @Nullable Throwable cause) {
        super("data folder " + folder + " " + what, cause);
        this.reason = reason;
    }

    /** Returns an exception that says why nothing can be created in the folder: its disk is full, or else it is read-only. */
    public static DataFolderException cannotCreate(Path folder, IOException cause) {
        return isFull(cause)
                ? full(folder, cause)
                : new DataFolderException(Reason.READ_ONLY, folder, "is read-only: no file can be made in it", cause);
    }

    /** Refuses a folder on a disk with less than {@code needed} bytes free. */
    public static DataFolderException tooLittleSpace(Path folder, long needed, long free) {
        String what = String.format(
                Locale.ROOT, "has too little space: expected %.1f GiB free, got %.1f GiB", needed / GIB, free / GIB);
        return new DataFolderException(Reason.FULL, folder, what, null);
    }

    static DataFolderException full(Path folder, @Nullable Throwable cause) {
        return new DataFolderException(Reason.FULL, folder, "is full: less than 1 MiB can be written", cause);
    }

    static boolean isFull(Exception failure) {
        String message = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("no space left") || message.contains("quota");
    }

    /** Why the folder can't be used. */
    public Reason reason() {
        return reason;
    }

    /** Defects of a data folder. */
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
