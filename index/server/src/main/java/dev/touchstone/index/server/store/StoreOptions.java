package dev.touchstone.index.server.store;

import dev.touchstone.index.EngineType;
import java.util.Objects;

/**
 * Options of an open store. Immutable.
 *
 * @param maxLogBytes bytes of encoded batches in the log beyond which a snapshot is made in the background, at least 1
 * @param isMapped whether payloads of the snapshot stay in its file, which is memory-mapped
 * @param engine algorithm by which the index searches, not null
 */
public record StoreOptions(long maxLogBytes, boolean isMapped, EngineType engine) {
    /** The default options: a snapshot for each 64 MiB of log, all prices in memory, {@link EngineType#OURS}. */
    public static final StoreOptions DEFAULT = new StoreOptions(64 << 20, false, EngineType.OURS);

    /**
     * Creates options.
     *
     * @throws IllegalArgumentException if {@code maxLogBytes} is below 1
     */
    public StoreOptions {
        Objects.requireNonNull(engine, "engine");
        if (maxLogBytes < 1) {
            throw new IllegalArgumentException("maxLogBytes=" + maxLogBytes + " expected=1 or more");
        }
    }
}
