package dev.touchstone.cli;

import java.io.EOFException;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/**
 * Describes failures in one line. The JDK's exceptions often carry a path or a host name as their whole message, or none: this class says
 * what failed and what to do next.
 */
public final class FailureMessages {
    private FailureMessages() {}

    /**
     * Describes a failure.
     *
     * @param failure the exception to describe; not null
     * @return one sentence without a line break: never only a path, a host or the name of an exception
     */
    public static String describe(Throwable failure) {
        if (failure instanceof UncheckedIOException && failure.getCause() != null) {
            return describe(failure.getCause());
        }
        if (failure instanceof FileSystemException file) {
            return describeFile(file);
        }
        String message = failure.getMessage();
        if (failure instanceof UnknownHostException) {
            return "unknown host: host=" + message + "; check the name and the network";
        }
        if (failure instanceof CharacterCodingException) {
            return "text is not in the expected encoding: " + message;
        }
        if (failure instanceof EOFException && message == null) {
            return "input ended too early";
        }
        return message == null || message.isBlank()
                ? "unexpected failure: type=" + failure.getClass().getSimpleName()
                : message.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    private static String describeFile(FileSystemException failure) {
        String reason = failure.getReason();
        String path = "path=" + failure.getFile();
        if (reason != null) {
            return reason + ": " + path;
        }
        if (failure instanceof NoSuchFileException) {
            return "no such file or folder: " + path + "; check the path";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied: " + path + "; check its owner and permissions";
        }
        if (failure instanceof NotDirectoryException) {
            return "not a folder: " + path + "; give a folder";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "exists already: " + path + "; move it away or give another path";
        }
        if (failure instanceof DirectoryNotEmptyException) {
            return "folder is not empty: " + path + "; empty it or give another path";
        }
        return "file system refused: " + path + " type=" + failure.getClass().getSimpleName();
    }
}
