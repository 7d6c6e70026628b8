package dev.touchstone.queue.log.consume;

import dev.touchstone.queue.log.LogFailedException;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a thread failed in the middle of a change, as for want of stack or memory, after which the state may not be whole. Used under
 * its owner's monitor, which the JVM releases even for a thread that can call nothing any more.
 */
final class ChangeGuard {
    /*
     * Invariants:     changing is true from the first write of a change to its last. A step that throws an IOException has changed nothing,
     *                 so only what no step states leaves changing true.
     * Failure:        the next step finds changing true, ends the log and throws; nothing is called by the thread that failed.
     */
    private final String what;
    private final Consumer<IOException> end;
    private boolean changing;

    /** A part of a call that reads and changes the state. */
    interface Step<R> {
        @Nullable
        R take() throws IOException;
    }

    /**
     * Creates the guard of a state that is whole.
     *
     * @param what the state, for messages
     * @param end ends the log
     */
    ChangeGuard(String what, Consumer<IOException> end) {
        this.what = what;
        this.end = end;
    }

    /** Takes a step, unless an earlier one failed in the middle of a change. */
    <R> @Nullable R take(Step<R> step) throws IOException {
        checkWhole();
        try {
            R result = step.take();
            changing = false;
            return result;
        } catch (IOException e) {
            changing = false;
            throw e;
        }
    }

    /** Marks the beginning of a change, unless an earlier one failed in the middle. */
    void beginWhole() throws IOException {
        checkWhole();
        changing = true;
    }

    private void checkWhole() throws IOException {
        if (changing) {
            IOException cause = new IOException("a thread failed in the middle of a change: " + what);
            end.accept(cause);
            throw new LogFailedException(cause);
        }
    }

    /** Returns whether no change is under way, and none failed in the middle. */
    boolean isWhole() {
        return !changing;
    }

    /** Marks the beginning of a change in a step. */
    void begin() {
        changing = true;
    }

    /** Marks the end of a change before the end of its step. */
    void end() {
        changing = false;
    }
}
