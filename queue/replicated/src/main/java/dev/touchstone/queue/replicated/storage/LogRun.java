package dev.touchstone.queue.replicated.storage;

import java.util.Arrays;

/**
 * A row of frames with consecutive indexes in one segment, written under one epoch: by one opening of the log, and between two of its
 * truncations.
 */
final class LogRun {
    /*
     * Who calls:      one thread at a time adds frames; any thread reads.
     * Invariants:     frame k < count lies at offsets[k] and ends at offsets[k + 1], in units of 8 bytes; what stands there does not change
     *                 any more. How many of a run's frames are still of the log is known to the LogView, not to the run.
     * Ordering:       the writes to offsets -> the volatile write of count -> a reader's read of count. The array is volatile, too: a reader may
     *                 meet a longer copy of it that was made later.
     *                 A reader of a run that is not the last of its LogView need not read count: the view was published later.
     */
    private final FrameKey key;
    private final SegmentFile segment;
    private final long firstIndex;
    private volatile int[] offsets = new int[64];
    private int added;
    private volatile int count;

    /**
     * Creates a run without frames.
     *
     * @param key key of the frames
     * @param segment segment of all frames
     * @param position position of the first frame
     * @param firstIndex index of the first frame's entry
     */
    LogRun(FrameKey key, SegmentFile segment, long position, long firstIndex) {
        this.key = key;
        this.segment = segment;
        this.firstIndex = firstIndex;
        offsets[0] = toUnits(position);
    }

    FrameKey key() {
        return key;
    }

    SegmentFile segment() {
        return segment;
    }

    long firstIndex() {
        return firstIndex;
    }

    /** Returns the index behind the last frame's, whether this frame is still of the log or not. */
    long endIndex() {
        return firstIndex + count;
    }

    /** Returns the position of the frame of an index between {@link #firstIndex} and {@link #endIndex}, or of the end of the frame before. */
    long position(long index) {
        return (long) offsets[(int) (index - firstIndex)] * FrameHeader.ALIGNMENT;
    }

    /** Returns the position behind the last published frame. */
    long end() {
        return position(endIndex());
    }

    /** Makes room for the offsets of further frames, so that {@link #add} does not fail. */
    void reserve(int frames) {
        long needed = (long) added + frames + 1;
        int[] held = offsets;
        if (needed > held.length) {
            offsets = Arrays.copyOf(held, Math.toIntExact(Math.max(needed, Math.min(2L * held.length, 1 << 30))));
        }
    }

    /** Adds a frame, which readers see after {@link #publish}. */
    void add(long frameBytes) {
        int[] held = offsets;
        held[added + 1] = Math.addExact(held[added], toUnits(frameBytes));
        added++;
    }

    /** Lets readers see the frames that were added. */
    void publish() {
        count = added;
    }

    private static int toUnits(long bytes) {
        return Math.toIntExact(bytes / FrameHeader.ALIGNMENT);
    }
}
