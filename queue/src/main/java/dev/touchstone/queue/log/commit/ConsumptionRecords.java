package dev.touchstone.queue.log.commit;

import dev.touchstone.queue.log.segment.RecordFormat;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Consumption that waits to become durable, from the point of view of the writer: it travels behind the records of a batch, so the force
 * that appenders wait for brings the acknowledgements of consumers to the device too. Thread-safe.
 */
public interface ConsumptionRecords {
    /** Bytes that {@link #put} may take at the end of a batch; with them a segment's longest element must fit behind the header. */
    int MAX_BYTES = RecordFormat.recordBytes(126 * 32);

    /**
     * Puts consumption that no batch has carried yet, by one thread at a time.
     *
     * @param offset where to put it in {@code target}
     * @param sequence of the record that will follow
     * @param salt of the segment
     * @return the bytes put, 0 for none
     */
    int put(ByteBuffer target, int offset, long sequence, long salt);

    /**
     * Brings the consumption to the device for which the last batch had no room. By the thread that wrote the batch, before its records
     * count as committed.
     */
    void forceOverflow() throws IOException;

    /** Returns once all consumption before the call is on the device, so that the segments behind it need not be read at open. */
    void force() throws IOException;

    /** Records that everything appended before {@code sequence} is on the device. */
    void checkpoint(long sequence) throws IOException;
}
