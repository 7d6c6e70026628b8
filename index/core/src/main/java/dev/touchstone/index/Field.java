package dev.touchstone.index;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.Objects;

/**
 * One attribute that prices may have a value for. Immutable. Handles of an index's fields come from {@link PriceIndex#field}.
 *
 * @param name not empty
 * @param type of the values
 * @param scale digits behind the point, for {@link FieldType#DECIMAL}; else 0
 * @param ordinal its place among the fields of an index, from 0
 */
public record Field(String name, FieldType type, int scale, int ordinal) {
    /** The most digits that a decimal has, and that it has behind its point. */
    static final int MAX_SCALE = 18;

    private static final long MAX_DECIMAL = 1_000_000_000_000_000_000L;

    public Field {
        Objects.requireNonNull(type, "type");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("name is empty: field=" + ordinal);
        }
        if (scale < 0 || scale > MAX_SCALE || (scale > 0 && type != FieldType.DECIMAL)) {
            throw new IllegalArgumentException("scale=" + scale + " field=" + name + " type=" + type);
        }
    }

    /**
     * A value as the number by which values of this field are ordered; it is exact.
     *
     * @throws InvalidValueException if it is not of this field's type, or has more digits than that can have
     */
    long number(Object value) {
        try {
            if (type == FieldType.INTEGER && value instanceof Long number) {
                return number;
            }
            if (type == FieldType.INTEGER && value instanceof Integer number) {
                return number;
            }
            if (type == FieldType.DECIMAL && value instanceof BigDecimal decimal) {
                if (decimal.signum() != 0 && (wholeDigits(decimal) < 1 || wholeDigits(decimal) > MAX_SCALE)) {
                    throw new ArithmeticException("exponent");
                }
                return decimal.signum() == 0
                        ? 0
                        : decimal.setScale(scale, RoundingMode.UNNECESSARY)
                                .unscaledValue()
                                .longValueExact();
            }
            if (type == FieldType.DATE_TIME && value instanceof Instant instant && FieldType.isWholeMicros(instant)) {
                return FieldType.micros(instant);
            }
        } catch (ArithmeticException e) {
            throw new InvalidValueException(
                    "more digits than the field has: field=" + name + " scale=" + scale + " value="
                            + FieldType.shown(value),
                    e);
        }
        throw wrong(value);
    }

    /** As {@link #number}, but rounded into the range that begins (or else ends) with the value; saturated where a long ends. */
    long bound(Object value, boolean isLow) {
        if (type == FieldType.DECIMAL && value instanceof BigDecimal decimal) {
            if (decimal.signum() == 0) {
                return 0;
            }
            boolean isPositive = decimal.signum() > 0;
            if (wholeDigits(decimal) > MAX_SCALE) {
                return isPositive ? Long.MAX_VALUE : Long.MIN_VALUE;
            }
            if (wholeDigits(decimal) < 1) { // between 0 and the first number on its side
                return isPositive == isLow ? (isPositive ? 1 : -1) : 0;
            }
            return decimal.setScale(scale, isLow ? RoundingMode.CEILING : RoundingMode.FLOOR)
                    .unscaledValue()
                    .longValueExact();
        }
        if (type == FieldType.DATE_TIME && value instanceof Instant instant) {
            long micros = FieldType.micros(instant);
            return isLow && !FieldType.isWholeMicros(instant) ? FieldType.micros(instant.plusNanos(999)) : micros;
        }
        return number(value);
    }

    /**
     * How many digits a decimal other than 0 has before the point of its {@link #number}. Told from its exponent, so that one like 1E+999999999 is
     * never written out.
     */
    private long wholeDigits(BigDecimal decimal) {
        return decimal.precision() - (long) decimal.scale() + scale;
    }

    /** Whether some value has this {@link #number}. */
    boolean hasNumber(long number) {
        return type != FieldType.DECIMAL || (number < MAX_DECIMAL && number > -MAX_DECIMAL);
    }

    /**
     * The value that a text stands for; unlike {@link FieldType#parse} it is one that a price can have for this field.
     *
     * @throws InvalidValueException if it stands for none, or for one with more digits than that can have
     */
    public Object parse(String text) {
        Object value = type.parse(text);
        if (type.isOrdered()) {
            number(value);
        }
        return value;
    }

    /** The value of a {@link #number}. */
    Object value(long number) {
        return switch (type) {
            case INTEGER -> number;
            case DECIMAL -> BigDecimal.valueOf(number, scale);
            case DATE_TIME -> FieldType.instant(number);
            case STRING -> throw new IllegalStateException("a string has no number: field=" + name);
        };
    }

    InvalidValueException wrong(Object value) {
        return new InvalidValueException("not a value of the field's type: field=" + name + " type=" + type + " class="
                + value.getClass().getSimpleName() + " value=" + FieldType.shown(value));
    }
}
