package dev.touchstone.index;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;

/** Types of the values of a field, with their form as text. Values of all types except strings have an order, and can be searched by range. */
public enum FieldType {
    /** A {@link String}, of any characters. */
    STRING,
    /** A {@link Long}; as text, decimal digits with an optional sign. */
    INTEGER,
    /**
     * A {@link BigDecimal} with at most as many digits behind the decimal point as the field has, and with at most 18 digits if all of those are
     * written.
     */
    DECIMAL,
    /** An {@link Instant} to the microsecond; as text, ISO 8601 with an offset, such as {@code 2019-05-10T05:00:00Z}. */
    DATE_TIME;

    private static final long MICROS = 1_000_000;

    /**
     * Returns whether values have an order.
     *
     * @return false for {@link #STRING} only
     */
    public boolean isOrdered() {
        return this != STRING;
    }

    /**
     * Returns the value that a text stands for.
     *
     * @param text text of the value
     * @return a {@link String}, {@link Long}, {@link BigDecimal} or {@link Instant}
     * @throws InvalidValueException if the text is not a value of this type
     */
    public Object parse(String text) {
        try {
            return switch (this) {
                case STRING -> text;
                case INTEGER -> Long.parseLong(withAsciiDigits(text));
                case DECIMAL -> decimal(withAsciiDigits(text));
                case DATE_TIME -> OffsetDateTime.parse(text).toInstant();
            };
        } catch (NumberFormatException | DateTimeException e) {
            throw new InvalidValueException(
                    "not a value of the type: type=" + this + " value=" + InvalidValueException.shown(text), e);
        }
    }

    /** Returns a text, unless it has digits of other scripts, which the parsers of Java take for numbers. */
    private String withAsciiDigits(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > '9' && Character.isDigit(text.charAt(i))) {
                throw new InvalidValueException("a digit other than 0 to 9: type=" + this + " at=" + i + " value="
                        + InvalidValueException.shown(text));
            }
        }
        return text;
    }

    private static BigDecimal decimal(String text) {
        if (text.length() > 64) {
            throw new NumberFormatException("longer than 64 characters");
        }
        return new BigDecimal(text);
    }

    static long micros(Instant value) {
        try {
            return Math.addExact(Math.multiplyExact(value.getEpochSecond(), MICROS), value.getNano() / 1000);
        } catch (ArithmeticException e) {
            throw new InvalidValueException("too far from now: value=" + value, e);
        }
    }

    static boolean isWholeMicros(Instant value) {
        return value.equals(value.truncatedTo(ChronoUnit.MICROS));
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
