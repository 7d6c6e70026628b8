package dev.touchstone.builds.agent.log;

import java.io.Closeable;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The log of a build: the script's output and the agent's own lines, in the order in which they were written. */
public sealed interface BuildLog extends Closeable permits KeptLog, DiscardedLog {

    /** Returns where the script's output goes; to be called once. */
    Redirect output() throws IOException;

    /** Appends a line of the agent's own; while no script writes. */
    void say(String line) throws IOException;

    /** Makes what was written by now readable. The executor's thread only. */
    void pump() throws IOException;

    /** Returns whether there is something to {@link #pump}. Any thread's. */
    boolean isBehind();

    /** Notes that the script writes no more: what it wrote above the limit is cut off for good. */
    void endOfOutput() throws IOException;

    /** Completes the log, to which nothing is added from then on; it can still be read. */
    void finish() throws IOException;

    /** Returns the number of bytes that can be read. */
    long readableBytes();

    /** Returns whether the script wrote more than the log may hold. */
    boolean isTruncated();

    /** Reads from {@code offset}: 0 if there is nothing yet, -1 if there is nothing and never will be. */
    int read(long offset, ByteBuffer into) throws IOException;

    /** Reads from a log of one file that is complete. */
    static int readEnded(Path file, long offset, ByteBuffer into) throws IOException {
        return LogFiles.readEnded(file, offset, into);
    }

    /** Returns a line of the agent's own as bytes. */
    static byte[] bytes(String line) {
        return (line + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
