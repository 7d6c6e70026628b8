package dev.touchstone.builds;

import java.nio.ByteBuffer;

/** Is given a build's log in order, each byte once. Called by one thread; the next bytes are asked for when it returns. */
@FunctionalInterface
public interface LogVisitor {
    /**
     * Takes the next bytes, and returns whether it wants more.
     *
     * @param offset of the first of them in the log
     * @param bytes read-only; valid during the call only
     */
    boolean visit(long offset, ByteBuffer bytes);
}
