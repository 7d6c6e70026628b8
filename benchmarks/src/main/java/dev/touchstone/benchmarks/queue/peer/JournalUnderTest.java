package dev.touchstone.benchmarks.queue.peer;

import org.jspecify.annotations.Nullable;

/** A log whose records are read only all at once, by {@link #scan}. */
public interface JournalUnderTest extends QueueUnderTest {

    @Override
    default byte @Nullable [] read() {
        throw new UnsupportedOperationException(
                "a journal reads only when it is loaded: " + getClass().getSimpleName());
    }
}
