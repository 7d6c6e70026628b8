package dev.touchstone.builds;

import java.nio.ByteBuffer;

/** A visitor of a build's log, which gets each byte once and in order. Called by one thread; the next bytes are asked for when it returns. */
@FunctionalInterface
public interface LogVisitor {
    /**
     * Takes the next bytes.
     *
     * @param offset of the first of them in the log
     * @param bytes read-only; valid during the call only
     * @return whether the visitor wants more
     */
    boolean visit(long offset, ByteBuffer bytes);
}
