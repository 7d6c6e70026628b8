package dev.touchstone.queue.log.commit;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Callback for the end of an asynchronous append. */
public interface AppendCompletion {
    /**
     * Ends one append.
     *
     * @param failure null where the record is where the log's options promise
     */
    void done(@Nullable IOException failure);
}
