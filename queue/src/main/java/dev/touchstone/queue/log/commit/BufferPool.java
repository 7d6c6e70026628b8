package dev.touchstone.queue.log.commit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Direct buffers that the batches of all logs of the process share, from one use of a batch to the next. Thread-safe. */
final class BufferPool {
    /*
     * Who calls:      the sealer of a log takes a buffer for the next use of a batch, its owner gives it back when that is written.
     * Invariants:     a buffer is given back once, by the owner, after every copy into it is counted, so it has one user; free
     *                 buffers hold MAX_FREE_BYTES at most, whatever is given beyond that is left to the garbage collector.
     * Ordering:       the queues publish a buffer from the thread that gives it to the one that takes it.
     * Failure:        the buffers of a log that has failed are not given back.
     */
    /** The one pool: an idle log holds the small buffer of its open batch and nothing else. */
    static final BufferPool SHARED = new BufferPool();

    private static final int MIN_SHIFT = 12;
    private static final int MAX_SHIFT = 20;
    private static final long MAX_FREE_BYTES = 16 << 20;

    private final List<Queue<ByteBuffer>> free = new ArrayList<>();
    private final AtomicLong freeBytes = new AtomicLong();

    BufferPool() {
        for (int shift = MIN_SHIFT; shift <= MAX_SHIFT; shift++) {
            free.add(new ConcurrentLinkedQueue<>());
        }
    }

    /** Returns a buffer with room for {@code recordBytes} of records and for the consumption that may follow them. */
    ByteBuffer take(int recordBytes) {
        int shift = Math.max(MIN_SHIFT, Integer.SIZE - Integer.numberOfLeadingZeros(recordBytes - 1));
        if (shift > MAX_SHIFT) {
            return allocate(recordBytes);
        }
        ByteBuffer buffer = free.get(shift - MIN_SHIFT).poll();
        if (buffer == null) {
            return allocate(1 << shift);
        }
        freeBytes.getAndAdd(-buffer.capacity());
        return buffer;
    }

    private static ByteBuffer allocate(int recordBytes) {
        return ByteBuffer.allocateDirect(recordBytes + ConsumptionRecords.MAX_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Takes back a buffer of {@link #take}. */
    void give(ByteBuffer buffer) {
        int recordBytes = buffer.capacity() - ConsumptionRecords.MAX_BYTES;
        if (recordBytes > 1 << MAX_SHIFT) {
            return;
        }
        if (freeBytes.addAndGet(buffer.capacity()) > MAX_FREE_BYTES) {
            freeBytes.getAndAdd(-buffer.capacity());
            return;
        }
        free.get(Integer.numberOfTrailingZeros(recordBytes) - MIN_SHIFT).add(buffer);
    }
}
