package dev.touchstone.builds.agent.source;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.eclipse.jgit.errors.NoRemoteRepositoryException;
import org.eclipse.jgit.errors.NotSupportedException;
import org.eclipse.jgit.errors.TransportException;

/** Kinds of failures, where the type of an exception alone does not say. */
public final class Faults {
    private static final long FULL_BYTES = 64 << 10;

    private Faults() {}

    /** Returns whether the device under {@code folder} has no room, by what was said and by what is left. */
    public static boolean isFull(Throwable failure, Path folder) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage() == null ? "" : cause.getMessage();
            if (message.contains("No space left on device") || message.contains("Disk quota exceeded")) {
                return true;
            }
        }
        return failure instanceof IOException && isFull(folder);
    }

    /** Returns whether the device under {@code folder} has no room for anything. */
    public static boolean isFull(Path folder) {
        try {
            return Files.getFileStore(folder).getUsableSpace() < FULL_BYTES;
        } catch (IOException e) {
            return false; // then it is something else that is wrong
        }
    }

    /** Returns whether the repository's side failed, and not our mirror. */
    static boolean isRemotes(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof NoRemoteRepositoryException
                    || cause instanceof NotSupportedException
                    || cause instanceof UnknownHostException
                    || cause instanceof SocketException
                    || cause instanceof InterruptedIOException
                    || cause instanceof SSLException) {
                return true;
            }
        }
        return isRefusal(failure);
    }

    /** Returns whether the repository wants credentials that JGit does not have; the git command may. */
    static boolean isRefusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message =
                    cause.getMessage() == null ? "" : cause.getMessage().toLowerCase(Locale.ROOT);
            if (cause instanceof TransportException
                    && (message.contains("not authorized")
                            || message.contains("authentication")
                            || message.contains("not permitted"))) {
                return true;
            }
        }
        return false;
    }

    /** Returns the message of an exception, or its name if it has none. */
    static String said(Exception e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }
}
