package dev.touchstone.builds.agent.log;

import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;

/** The log of a build whose output nobody wants. */
public final class DiscardedLog implements BuildLog {
    /*
     * Who calls:  the executor that runs the build; any thread `read`, which says that nothing follows once `finish` was called.
     */
    private volatile boolean finished;

    @Override
    public Redirect output() {
        return Redirect.DISCARD;
    }

    @Override
    public void say(String line) {}

    @Override
    public void pump() {}

    @Override
    public boolean isBehind() {
        return false;
    }

    @Override
    public void endOfOutput() {}

    @Override
    public void finish() {
        finished = true;
    }

    @Override
    public long readableBytes() {
        return 0;
    }

    @Override
    public boolean isTruncated() {
        return false;
    }

    @Override
    public int read(long offset, ByteBuffer into) {
        return finished ? -1 : 0;
    }

    @Override
    public void close() {}
}
