package dev.touchstone.benchmarks.queue.peer;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A subject that takes records without making their writer wait for the device. */
public interface AsyncWrites extends QueueUnderTest {

    /**
     * Appends a copy of {@code record}, and tells {@code end} once it has the durability that the subject promises. Any number of
     * threads.
     */
    void writeAsync(byte[] record, End end) throws IOException;

    /** Hears of each record once, from whatever thread; must return at once. */
    @FunctionalInterface
    interface End {

        /** Told with null where the record is stored. */
        void end(@Nullable Throwable failure);
    }
}
