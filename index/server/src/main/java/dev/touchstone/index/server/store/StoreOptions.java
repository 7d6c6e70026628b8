package dev.touchstone.index.server.store;

/**
 * Options of an open store. Immutable.
 *
 * @param maxLogBytes bytes of encoded batches in the log beyond which a snapshot is made in the background, at least 1
 * @param isMapped whether payloads of the snapshot stay in its file, which is memory-mapped
 */
public record StoreOptions(long maxLogBytes, boolean isMapped) {
    /** The default options: a snapshot for each 64 MiB of log, all prices in memory. */
    public static final StoreOptions DEFAULT = new StoreOptions(64 << 20, false);

    /**
     * Creates options.
     *
     * @throws IllegalArgumentException if {@code maxLogBytes} is below 1
     */
    public StoreOptions {
        if (maxLogBytes < 1) {
            throw new IllegalArgumentException("maxLogBytes=" + maxLogBytes + " expected=1 or more");
        }
    }
}
