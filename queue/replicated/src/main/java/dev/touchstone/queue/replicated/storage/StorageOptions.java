package dev.touchstone.queue.replicated.storage;

/**
 * Sizes of a log storage.
 *
 * @param segmentBytes length of a segment file, header included; a list of entries that is longer gets a longer file
 * @param stateBytes length of the state file of a new folder, a multiple of 1,024; a run of the log takes 32 bytes in half of it
 * @param maxSpares most segment files that are kept for later when nothing of the log is in them
 */
public record StorageOptions(int segmentBytes, int stateBytes, int maxSpares) {
    /** Sizes for a member of a group. */
    public static final StorageOptions DEFAULT = new StorageOptions(64 << 20, 1 << 20, 4);

    /** Checks the sizes. */
    public StorageOptions {
        if (segmentBytes < 1024 || segmentBytes % FrameHeader.ALIGNMENT != 0) {
            throw new IllegalArgumentException(
                    "segmentBytes=" + segmentBytes + ": expected a multiple of 8 from 1024 on");
        }
        if (stateBytes < 1024 || stateBytes % 1024 != 0) {
            throw new IllegalArgumentException("stateBytes=" + stateBytes + ": expected a multiple of 1024");
        }
        if (maxSpares < 0) {
            throw new IllegalArgumentException("maxSpares=" + maxSpares + ": expected 0 or more");
        }
    }
}
