package dev.touchstone.queue.log.segment;

import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.QueueRuntime;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** A window of a segment's file that another thread fills while a reader uses the window before. Not thread-safe. */
final class ReadAhead {
    /*
     * Who calls:  one reader. The thread that reads touches the buffer until the task is done, the reader only afterwards.
     * Invariants: a buffer whose read may still be under way is never given to the pool.
     * Failure:    a read that fails gives null; the reader then reads by itself, and so meets the failure in its own call.
     */
    /** Bytes in front of what is read, where the reader puts the end of the window before. */
    static final int HEAD_BYTES = 64 << 10;

    private static final int BYTES = WindowPool.HUGE_BYTES - HEAD_BYTES;

    private final long position;
    private final ByteBuffer buffer;
    private final FutureTask<Integer> task;

    /** Begins to read a file from {@code position} on. */
    ReadAhead(FileIo.DataFile file, long position) {
        this.position = position;
        this.buffer = WindowPool.take(WindowPool.HUGE_BYTES);
        this.task = new FutureTask<>(() -> file.read(buffer.clear().position(HEAD_BYTES), position));
        QueueRuntime.shared().readAhead(task);
    }

    /** Returns whether the bytes that were read go on where a window ends. */
    boolean follows(long end) {
        return position == end;
    }

    /**
     * Returns the buffer, with what was read between {@link #HEAD_BYTES} and the buffer's position; null where nothing was. Waits for the read,
     * and makes it where no other thread has begun. The buffer is the caller's.
     */
    @Nullable
    ByteBuffer take() {
        task.run();
        boolean interrupted = false;
        try {
            for (; ; ) {
                try {
                    if (task.get() > 0) {
                        return buffer;
                    }
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException failed) {
                    break;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        WindowPool.give(buffer);
        return null;
    }

    /** Returns whether a read of so many bytes fills a window of this kind. */
    static boolean isWhole(int bytes) {
        return bytes >= BYTES;
    }
}
