package dev.touchstone.messaging.term;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** An integer that fits a {@code long}; all others are {@link BigInt}s. */
public final class Int implements Term {
    private static final int LOWEST_CACHED = -128;
    private static final int HIGHEST_CACHED = 1023;
    private static final Int[] CACHE = new Int[HIGHEST_CACHED - LOWEST_CACHED + 1];

    static {
        for (int i = 0; i < CACHE.length; i++) {
            CACHE[i] = new Int(LOWEST_CACHED + i);
        }
    }

    private final long value;

    private Int(long value) {
        this.value = value;
    }

    /**
     * Returns the integer of a value.
     *
     * @param value any value
     * @return a shared object from -128 to 1023, else a new one
     */
    public static Int of(long value) {
        if (value >= LOWEST_CACHED && value <= HIGHEST_CACHED) {
            return CACHE[(int) value - LOWEST_CACHED];
        }
        return new Int(value);
    }

    /**
     * Returns the integer of a value of any size.
     *
     * @param value any value
     * @return an {@link Int} where the value fits a {@code long}, else a {@link BigInt}
     */
    public static Term of(BigInteger value) {
        return value.bitLength() < Long.SIZE ? of(value.longValue()) : BigInt.of(value);
    }

    /**
     * Returns the value.
     *
     * @return any {@code long}
     */
    public long value() {
        return value;
    }

    static int hash(long value) {
        return HashFunction.of(value);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Int number && value == number.value;
    }

    @Override
    public int hashCode() {
        return hash(value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
