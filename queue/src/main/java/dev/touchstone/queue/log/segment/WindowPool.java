package dev.touchstone.queue.log.segment;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;

/** The unused read windows of a process: direct buffers of two sizes, shared by the readers of all logs. Thread-safe. */
final class WindowPool {
    /*
     * Who calls:  each reader takes a window before it reads and gives it back when it is closed, exhausted or at rest.
     * Invariants: a window belongs to one reader or to the pool. The pool keeps at most MAX_SMALL and MAX_LARGE windows (4.5 MiB in all), and no
     *             reference to a window that is out, so the window of a reader that is never closed is collected together with its reader.
     * Failure:    none; without a pooled window a new one is allocated, and a window that finds the pool full is left to the collector.
     */
    static final int SMALL_BYTES = 8 << 10;
    static final int LARGE_BYTES = 256 << 10;

    /** Stands for no window. */
    static final ByteBuffer NONE = ByteBuffer.allocateDirect(0).order(ByteOrder.LITTLE_ENDIAN);

    private static final int MAX_SMALL = 64;
    private static final int MAX_LARGE = 16;

    private static final Queue<ByteBuffer> SMALL = new ArrayBlockingQueue<>(MAX_SMALL);
    private static final Queue<ByteBuffer> LARGE = new ArrayBlockingQueue<>(MAX_LARGE);

    private WindowPool() {}

    /** Returns a little-endian window of {@link #SMALL_BYTES}, or of {@link #LARGE_BYTES} where {@code bytes} need it; the caller's own. */
    static ByteBuffer take(int bytes) {
        boolean small = bytes <= SMALL_BYTES;
        ByteBuffer pooled = (small ? SMALL : LARGE).poll();
        return pooled != null
                ? pooled
                : ByteBuffer.allocateDirect(small ? SMALL_BYTES : LARGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Takes a window back that {@link #take} returned; {@link #NONE} is ignored. The caller must forget the window. */
    static void give(ByteBuffer window) {
        if (window.capacity() > 0) {
            boolean unused = (window.capacity() == SMALL_BYTES ? SMALL : LARGE).offer(window);
        }
    }
}
