package dev.touchstone.queue.log.segment;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The unused read windows of a process: direct buffers of three sizes, shared by the readers of all logs. Thread-safe. */
final class WindowPool {
    /*
     * Who calls:  each reader takes a window before it reads and gives it back when it is closed, exhausted or at rest.
     * Invariants: a window belongs to one reader or to the pool. The pool keeps at most 64 small, 8 large and 8 huge windows (10.5 MiB in all), and
     *             no reference to a window that is out, so the window of a reader that is never closed is collected together with its reader.
     * Failure:    without memory for a larger window a reader goes on with the one that it has. Nobody asks again for SCARCE_NANOS, since the JDK
     *             collects garbage and waits for half a second before it refuses. A read without memory for even its record fails. A window
     *             that finds the pool full is left to the collector.
     */
    static final int SMALL_BYTES = 8 << 10;
    static final int LARGE_BYTES = 256 << 10;

    /** Length of the windows of long sequential reads: a read of 1 MiB costs a quarter less for each byte than one of 256 KiB. */
    static final int HUGE_BYTES = 1 << 20;

    /** Stands for no window. */
    static final ByteBuffer NONE = ByteBuffer.allocateDirect(0).order(ByteOrder.LITTLE_ENDIAN);

    private static final List<Size> SIZES =
            List.of(new Size(SMALL_BYTES, 64), new Size(LARGE_BYTES, 8), new Size(HUGE_BYTES, 8));

    private static final long SCARCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static volatile long scarceSince = System.nanoTime() - SCARCE_NANOS;

    private record Size(int bytes, Queue<ByteBuffer> unused) {
        Size(int bytes, int most) {
            this(bytes, new ArrayBlockingQueue<>(most));
        }
    }

    private WindowPool() {}

    /** Returns a little-endian window of the smallest size that has {@code bytes}, at most {@link #HUGE_BYTES}; the caller's own. */
    static ByteBuffer take(int bytes) {
        Size size = size(bytes);
        ByteBuffer pooled = size.unused.poll();
        return pooled != null ? pooled : allocate(size);
    }

    /** Returns a window as {@link #take} does; null where there is no memory for it, or was none just now. */
    static @Nullable ByteBuffer tryTake(int bytes) {
        Size size = size(bytes);
        ByteBuffer pooled = size.unused.poll();
        if (pooled != null) {
            return pooled;
        }
        if (System.nanoTime() - scarceSince < SCARCE_NANOS) {
            return null;
        }
        try {
            return allocate(size);
        } catch (OutOfMemoryError scarce) {
            scarceSince = System.nanoTime();
            return null;
        }
    }

    private static ByteBuffer allocate(Size size) {
        return ByteBuffer.allocateDirect(size.bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Takes a window back that {@link #take} returned; {@link #NONE} is ignored. The caller must forget the window. */
    static void give(ByteBuffer window) {
        if (window.capacity() > 0) {
            boolean unused = size(window.capacity()).unused.offer(window);
        }
    }

    private static Size size(int bytes) {
        int index = bytes <= SMALL_BYTES ? 0 : bytes <= LARGE_BYTES ? 1 : 2;
        return SIZES.get(index);
    }
}
