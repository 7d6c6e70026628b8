package dev.touchstone.index;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.Collection;
import java.util.Objects;

/**
 * An attribute that prices may have a value of. Immutable. {@link dev.touchstone.index.price.PriceIndex#field} returns the fields of an index.
 *
 * @param name name of the field, not empty
 * @param type type of the values, not null
 * @param scale maximum number of digits behind the decimal point, from 0 to 18, for {@link FieldType#DECIMAL}; else 0
 * @param ordinal index of the field among those of a price index, from 0
 */
public record Field(String name, FieldType type, int scale, int ordinal) {
    /** Maximum number of digits of a decimal number, and of its digits behind the decimal point. */
    public static final int MAX_SCALE = 18;

    private static final long MAX_DECIMAL = 1_000_000_000_000_000_000L;

    /**
     * Creates a field.
     *
     * @throws IllegalArgumentException if the name is empty, or the scale is outside its range
     * @throws InvalidValueException if the name cannot be encoded in UTF-8
     */
    public Field {
        Objects.requireNonNull(type, "type");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("name is empty: field=" + ordinal);
        }
        InvalidValueException.requireText(name, "name of a field");
        if (scale < 0 || scale > MAX_SCALE || (scale > 0 && type != FieldType.DECIMAL)) {
            throw new IllegalArgumentException("scale=" + scale + " field=" + name + " type=" + type);
        }
    }

    /**
     * Returns the exact number by which values of this field are ordered.
     *
     * @param value value of the class that the type of this field names, not null
     * @return an integer; a decimal number without its decimal point, with all digits that this field can have; or microseconds since 1970
     * @throws InvalidValueException if the value is not of the type of this field, or has more digits than the field can have
     */
    public long number(Object value) {
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
                            + InvalidValueException.shown(value),
                    e);
        }
        if (value instanceof Collection<?> values) {
            throw new InvalidValueException("a field that is not of strings has one value: field=" + name + " type="
                    + type + " values=" + values.size());
        }
        throw InvalidValueException.of(this, value);
    }

    /**
     * Returns the number of a value like {@link #number}, but rounded into the range that begins with the value, or ends with it if {@code isLow} is
     * false. Decimal numbers beyond the range of the field give {@link Long#MAX_VALUE} or {@link Long#MIN_VALUE}.
     *
     * @param value value of the class that the type of this field names, not null
     * @param isLow whether the range begins with the value
     * @return number of the least value in the range, or of the greatest
     * @throws InvalidValueException if the value is not of the type of this field
     */
    public long bound(Object value, boolean isLow) {
        if (type == FieldType.DECIMAL && value instanceof BigDecimal decimal) {
            if (decimal.signum() == 0) {
                return 0;
            }
            boolean isPositive = decimal.signum() > 0;
            if (wholeDigits(decimal) > MAX_SCALE) {
                return isPositive ? Long.MAX_VALUE : Long.MIN_VALUE;
            }
            if (wholeDigits(decimal) < 1) { // between 0 and the number next to 0
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
     * Returns the number of digits that a decimal other than 0 has before the decimal point of its {@link #number}. Computed from the exponent, so
     * that a number like 1E+999999999 is never written out.
     */
    private long wholeDigits(BigDecimal decimal) {
        return decimal.precision() - (long) decimal.scale() + scale;
    }

    /**
     * Returns whether a value of this field can have a {@link #number}.
     *
     * @param number any number
     * @return false for a number of more than 18 digits if this field is of decimal numbers
     */
    public boolean hasNumber(long number) {
        return type != FieldType.DECIMAL || (number < MAX_DECIMAL && number > -MAX_DECIMAL);
    }

    /**
     * Returns the value that a text stands for. Unlike {@link FieldType#parse}, this method accepts only values that a price can have for this field.
     *
     * @param text text of the value
     * @return a {@link String}, {@link Long}, {@link BigDecimal} or {@link Instant}
     * @throws InvalidValueException if the text is not a value of the type, or has more digits than the field can have
     */
    public Object parse(String text) {
        Object value = type.parse(text);
        if (type.isOrdered()) {
            number(value);
        }
        return value;
    }

    /**
     * Returns the value of a {@link #number}.
     *
     * @param number number of a value
     * @return a {@link Long}, {@link BigDecimal} or {@link Instant}
     * @throws IllegalStateException if this field is of strings
     */
    public Object value(long number) {
        return switch (type) {
            case INTEGER -> number;
            case DECIMAL -> BigDecimal.valueOf(number, scale);
            case DATE_TIME -> FieldType.instant(number);
            case STRING -> throw new IllegalStateException("a string has no number: field=" + name);
        };
    }
}
