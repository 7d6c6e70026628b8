package dev.touchstone.queue;

import java.nio.ByteBuffer;

/** Is given encoded elements without a copy; see {@link DiskQueue#visit}. */
@FunctionalInterface
public interface RecordVisitor {

    /**
     * Visits one element and returns whether to go on.
     *
     * @param sequence the element's number in the queue
     * @param payload its bytes as the codec made them, read-only, valid during the call only
     */
    boolean visit(long sequence, ByteBuffer payload);
}
