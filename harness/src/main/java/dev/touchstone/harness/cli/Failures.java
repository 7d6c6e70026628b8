package dev.touchstone.harness.cli;

import dev.touchstone.harness.env.DataFolderException;
import dev.touchstone.harness.run.BuildJarException;
import dev.touchstone.harness.run.MatrixException;
import dev.touchstone.harness.store.ResultFormatException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Failures as their one line and exit code. */
final class Failures {
    private Failures() {}

    static String oneLine(Exception failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof AccessDeniedException denied) {
            return denied.getFile() + ": permission denied";
        }
        if (failure instanceof NoSuchFileException missing && missing.getReason() == null) {
            return missing.getFile() + ": no such file";
        }
        boolean speaksForItself = failure instanceof UsageException
                || failure instanceof MatrixException
                || failure instanceof DataFolderException
                || failure instanceof ResultFormatException
                || failure instanceof BuildJarException
                || failure instanceof FileSystemException;
        return speaksForItself ? message : failure.getClass().getSimpleName() + ": " + message;
    }

    /** What the user gave is their mistake; what the machine refuses is a failure. */
    static int exitCode(Exception failure) {
        if (failure instanceof DataFolderException unusable) {
            return switch (unusable.reason()) {
                case MISSING, NOT_A_FOLDER, READ_ONLY -> ExitCode.USAGE;
                case FULL, FAILING -> ExitCode.FAILED;
            };
        }
        boolean machine = failure instanceof IOException
                && !(failure instanceof ResultFormatException)
                && !(failure instanceof BuildJarException)
                && !(failure instanceof NoSuchFileException);
        return machine ? ExitCode.FAILED : ExitCode.USAGE;
    }
}
