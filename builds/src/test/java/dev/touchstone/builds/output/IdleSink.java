package dev.touchstone.builds.output;

import dev.touchstone.builds.OutputMode;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A sink for files that takes everything and keeps nothing; tests override what is to go wrong. */
public class IdleSink implements Sink {
    @Override
    public OutputMode mode() {
        return OutputMode.FILES;
    }

    @Override
    public boolean isFed() {
        return true;
    }

    @Override
    public long locate(String jobId, Log log) throws IOException {
        return 0;
    }

    @Override
    public void append(String jobId, long offset, ByteBuffer bytes) throws IOException {}

    @Override
    public void confirm(String jobId, long length, Log log) throws IOException {}

    @Override
    public void close() throws IOException {}
}
