package dev.touchstone.serialization.samples;

import dev.touchstone.serialization.annotation.Compact;
import org.jspecify.annotations.Nullable;

/** A class with state, where records will not do. */
@Compact("counter")
final class Counter {
    private long count;

    @Nullable
    String name;

    /** Not written. */
    transient long read;

    long getCount() {
        return count;
    }

    void setCount(long count) {
        this.count = count;
    }
}
