package dev.touchstone.index;

/** The way in which the prices of one offering are searched. */
public enum Plan {
    /** Not at all: an offering, or a value, that no price has. */
    NOTHING,
    /** Each price of the offering: there is no condition. */
    ALL,
    /** One price after the other; for {@link EngineType#OURS} by their codes, where an offering has few prices. */
    SCAN,
    /** Roaring bitmaps over all prices. */
    ROARING,
    /** One look-up by the codes of all conditions. */
    KEY,
    /** Along the rarest value's posting list, whose prices are tested for the other conditions. */
    LIST,
    /** Intersection of dense bitmaps and bit slices, word by word. */
    BITMAP
}
