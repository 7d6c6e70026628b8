package dev.touchstone.queue;

import java.nio.ByteBuffer;

/** A receiver of encoded elements that are not copied for it; see {@link DiskQueue#visit}. Called by the thread that visits. */
@FunctionalInterface
public interface RecordVisitor {

    /**
     * Visits one element. An exception ends the visit and is thrown to its caller.
     *
     * @param sequence number of the element in the queue, from 1
     * @param payload bytes as the codec made them, from the buffer's position to its limit; read-only, big-endian, never null, and valid
     *     during the call only
     * @return true to go on with the next element, false to end the visit
     */
    boolean visit(long sequence, ByteBuffer payload);
}
