package dev.touchstone.messaging.term;

import org.jspecify.annotations.Nullable;

/** A finite floating point number. As in Erlang since 27, {@code 0.0} and {@code -0.0} are not equal. */
public final class ErlFloat implements Term {
    private final double value;

    private ErlFloat(double value) {
        this.value = value;
    }

    /**
     * Returns the float of a value.
     *
     * @param value a finite number
     * @return the float
     * @throws IllegalArgumentException for NaN and the infinities, which Erlang does not have
     */
    public static ErlFloat of(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("not a finite number: value=" + value);
        }
        return new ErlFloat(value);
    }

    /**
     * Returns the value.
     *
     * @return a finite number
     */
    public double value() {
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ErlFloat real && Double.doubleToLongBits(value) == Double.doubleToLongBits(real.value);
    }

    @Override
    public int hashCode() {
        return ~HashFunction.of(Double.doubleToLongBits(value));
    }

    @Override
    public String toString() {
        return Double.toString(value).replace('E', 'e');
    }
}
