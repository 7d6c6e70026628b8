package dev.touchstone.index.table;

import java.nio.LongBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The layouts and bitmaps of blocks that are built together, of which equal ones are kept once: they take less memory, and stay in the nearest caches.
 * Offerings that are sold in the same combinations have the same bitmaps. Not thread-safe; its owner forgets it when the blocks are built.
 */
public final class SharedParts {
    /** Minimum number of words of a bitmap that is looked up; an entry takes as much memory as some twelve words. */
    private static final int MIN_WORDS = 16;

    private final Map<RowLayout, RowLayout> layouts = new HashMap<>();
    private final Map<LongBuffer, long[]> bitmaps = new HashMap<>();

    /** Returns the first layout that was equal to a layout. */
    public RowLayout first(RowLayout layout) {
        RowLayout known = layouts.putIfAbsent(layout, layout);
        return known == null ? layout : known;
    }

    /** Returns the first bitmap that was equal to a bitmap, none of which must change any more. */
    long[] first(long[] bitmap) {
        if (bitmap.length < MIN_WORDS) {
            return bitmap;
        }
        long[] known = bitmaps.putIfAbsent(LongBuffer.wrap(bitmap), bitmap);
        return known == null ? bitmap : known;
    }
}
