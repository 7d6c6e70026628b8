package dev.touchstone.builds.output;

import dev.touchstone.builds.OutputMode;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A place for the output of builds besides the master's log. Nothing that a target had before is trusted: it may have been emptied, replaced or
 * written to by others at any time. Used by one thread at a time.
 *
 * <p>The output of a job is brought in three steps: {@link #locate} where the target is, {@link #append} what is missing, {@link #confirm} that
 * all of it is there. After any failure the next step is {@code locate}.
 */
public interface Sink extends AutoCloseable {
    /** The log of one job at the master. */
    interface Log {
        /**
         * Reads bytes at an offset.
         *
         * @return number of bytes; 0 where there are none yet
         */
        int read(long offset, ByteBuffer into) throws IOException;
    }

    /** Returns the mode of the requests that this sink serves. */
    OutputMode mode();

    /** Returns whether output has to be brought to this sink; the master's log alone is enough for the others. */
    boolean isFed();

    /**
     * Compares all that the target has of a job with the log. A target that has anything else is emptied.
     *
     * @return number of bytes that the target has, all equal to those of the log
     * @throws IOException if the target cannot be read or emptied, or is none that may be written to
     */
    long locate(String jobId, Log log) throws IOException;

    /**
     * Writes bytes at the end of the target, if the target is as long as the last call has left it.
     *
     * @param offset number of bytes that the target must have
     * @throws IOException if the target has another length, or cannot be written to
     */
    void append(String jobId, long offset, ByteBuffer bytes) throws IOException;

    /**
     * Checks that the target has all of the output and nothing else, byte for byte, at one moment of this call.
     *
     * @param length number of bytes of the complete log
     * @throws IOException if the target has something else, changes meanwhile, or cannot be read
     */
    void confirm(String jobId, long length, Log log) throws IOException;

    @Override
    void close() throws IOException;
}
