package dev.touchstone.benchmarks.index.peer;

import org.jspecify.annotations.Nullable;
import org.roaringbitmap.FastAggregation;
import org.roaringbitmap.RangeBitmap;
import org.roaringbitmap.RoaringBitmap;

/**
 * The rows that the conditions of one search have left so far. Bitmaps of the index are read and never changed: the first condition that restricts
 * one of them makes a new bitmap, which later conditions change in place. Used by one thread.
 */
final class RoaringCandidates {
    private final RoaringBitmap everything;
    private @Nullable RoaringBitmap rows; // null for all rows
    private boolean isOwn; // whether the bitmap belongs to this search and may be changed

    RoaringCandidates(RoaringBitmap everything) {
        this.everything = everything;
    }

    /** Begins a search with the rows of a bitmap, or with all rows. */
    void reset(@Nullable RoaringBitmap first) {
        rows = first;
        isOwn = false;
    }

    RoaringBitmap rows() {
        return rows == null ? everything : rows;
    }

    /** Retains the rows of a bitmap. */
    void retain(RoaringBitmap bitmap) {
        if (rows == null) {
            rows = bitmap;
        } else if (isOwn) {
            rows.and(bitmap);
        } else {
            own(RoaringBitmap.and(rows, bitmap));
        }
    }

    /** Removes the rows of a bitmap. */
    void remove(RoaringBitmap bitmap) {
        if (isOwn && rows != null) {
            rows.andNot(bitmap);
        } else {
            own(RoaringBitmap.andNot(rows(), bitmap));
        }
    }

    /** Retains the rows that one of several bitmaps has: intersects with each of them, and unites the small results. */
    void retainAny(RoaringBitmap[] bitmaps) {
        if (rows == null) {
            own(FastAggregation.or(bitmaps));
            return;
        }
        RoaringBitmap[] parts = new RoaringBitmap[bitmaps.length];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = RoaringBitmap.and(rows, bitmaps[i]);
        }
        own(FastAggregation.or(parts));
    }

    /** Retains the rows whose value is in a range, which is evaluated for the rows that are left only. */
    void retain(RangeBitmap values, long low, long high) {
        own(rows == null ? values.between(low, high) : values.between(low, high, rows));
    }

    private void own(RoaringBitmap bitmap) {
        rows = bitmap;
        isOwn = true;
    }
}
