package dev.touchstone.queue.log.segment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.touchstone.queue.log.FileIo;
import dev.touchstone.queue.log.QueueRuntime;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A window of a segment's file that another thread fills while a reader uses the window before. */
final class ReadAhead {
    /*
     * Who calls:  one reader begins, takes or abandons; a reading thread, or the reader in take(), fills the buffer; the begin() of any reader may
     *             abandon one that nobody has taken for long.
     * Invariants: the buffer goes to the reader or to the pool exactly once, by the thread that made the last change of the state; in the
     *             state READING nobody but the thread that fills it gives it. However many readers there are, MAX_KEPT buffers wait for them, and
     *             no more than those that threads begin at the same moment.
     * Ordering:   the buffer's bytes -> the end of the task -> take(). The state is changed by compare-and-set only.
     * Failure:    a read that fails gives null, and so does one that was abandoned; the reader then reads by itself, and so meets the failure in
     *             its own call.
     */
    /** Bytes in front of what is read, where the reader puts the end of the window before. */
    static final int HEAD_BYTES = 64 << 10;

    static final int BYTES = WindowPool.HUGE_BYTES - HEAD_BYTES;
    static final int MAX_KEPT = 8;
    static final long MAX_KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);

    @GuardedBy("KEPT")
    private static final Queue<ReadAhead> KEPT = new ArrayDeque<>(MAX_KEPT);

    private final long position;
    private final long begunNanos;
    private final ByteBuffer buffer;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private final FutureTask<Integer> task;

    private enum State {
        WAITING,
        READING,
        READ,
        TAKEN,
        ABANDONED
    }

    private ReadAhead(ByteBuffer buffer, FileIo.DataFile file, long position, long nanoTime) {
        this.buffer = buffer;
        this.position = position;
        this.begunNanos = nanoTime;
        this.task = new FutureTask<>(() -> read(file));
    }

    /**
     * Begins to read a file from {@code position} on; returns null where other readers have {@link #MAX_KEPT} buffers, none of which has waited
     * for its reader for {@link #MAX_KEPT_NANOS}, and where memory is scarce.
     */
    static @Nullable ReadAhead begin(FileIo.DataFile file, long position, long nanoTime) {
        ReadAhead unused = null;
        synchronized (KEPT) {
            if (KEPT.size() == MAX_KEPT) {
                if (nanoTime - KEPT.element().begunNanos < MAX_KEPT_NANOS) {
                    return null;
                }
                unused = KEPT.remove();
            }
        }
        if (unused != null) {
            unused.abandon();
        }
        ByteBuffer buffer = WindowPool.tryTake(WindowPool.HUGE_BYTES);
        if (buffer == null) {
            return null;
        }
        ReadAhead begun = new ReadAhead(buffer, file, position, nanoTime);
        synchronized (KEPT) {
            KEPT.add(begun);
        }
        QueueRuntime.shared().readAhead(begun.task);
        return begun;
    }

    private int read(FileIo.DataFile file) throws Exception {
        if (!state.compareAndSet(State.WAITING, State.READING)) {
            return 0;
        }
        try {
            return file.read(buffer.clear().position(HEAD_BYTES), position);
        } finally {
            if (!state.compareAndSet(State.READING, State.READ)) {
                WindowPool.give(buffer);
            }
        }
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
        forget();
        task.run();
        boolean filled = bytesRead() > 0;
        if (!state.compareAndSet(State.READ, State.TAKEN)) {
            return null;
        }
        if (!filled) {
            WindowPool.give(buffer);
        }
        return filled ? buffer : null;
    }

    /** Waits for the end of the read and returns the number of bytes; 0 where it failed. */
    private int bytesRead() {
        boolean interrupted = false;
        try {
            for (; ; ) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException failed) {
                    return 0;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Gives the buffer to the pool, as soon as no thread fills it; {@link #take} returns null from now on. */
    void abandon() {
        forget();
        State before = state.getAndUpdate(now -> now == State.TAKEN ? now : State.ABANDONED);
        if (before == State.WAITING || before == State.READ) {
            WindowPool.give(buffer);
        }
    }

    private void forget() {
        synchronized (KEPT) {
            boolean unused = KEPT.remove(this);
        }
    }

    /** Returns whether a read of so many bytes fills a window of this kind. */
    static boolean isWhole(int bytes) {
        return bytes >= BYTES;
    }
}
