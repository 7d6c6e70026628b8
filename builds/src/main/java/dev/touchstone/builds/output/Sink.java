package dev.touchstone.builds.output;

import dev.touchstone.builds.OutputMode;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One place for the output of builds. Written by offset, and the same bytes at the same place may come again: after a failure, or after a restart
 * of the master. For one thread at a time.
 */
public interface Sink extends AutoCloseable {
    /** The requests that it is for. */
    OutputMode mode();

    /** Whether the output has to be brought to it; the master's log alone is enough for the others. */
    boolean isFed();

    /** How many bytes of a job's output it has, from the beginning on. */
    long length(String jobId) throws IOException;

    /** Puts bytes at an offset, which is at most {@link #length}. */
    void write(String jobId, long offset, ByteBuffer bytes) throws IOException;

    /** Takes note that a job's output is complete. */
    void end(String jobId, long length) throws IOException;

    @Override
    void close() throws IOException;
}
