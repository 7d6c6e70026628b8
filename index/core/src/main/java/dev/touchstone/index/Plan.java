package dev.touchstone.index;

/** Plans by which the prices of one offering are searched. */
public enum Plan {
    /** No search, because no price has the offering or one of the values. */
    NOTHING,
    /** All prices of the offering match, because there are no conditions. */
    ALL,
    /** A scan of the codes of one price after the other, for offerings with few prices. */
    SCAN,
    /** A single look-up by the codes of all fields. */
    KEY,
    /**
     * A look-up as by {@link #KEY} for each set of fields that prices of the offering have values of; with {@link
     * dev.touchstone.index.price.PriceQuery#wildcards}.
     */
    KEYS,
    /** A scan of the shortest posting list, whose prices are tested for the other conditions. */
    LIST,
    /** An intersection of dense bitmaps and bit slices, word by word. */
    BITMAP
}
