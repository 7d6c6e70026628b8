package dev.touchstone.index;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;

/** What the values of a field are, and how they read as text. All but strings have an order, and can be asked for by range. */
public enum FieldType {
    /** A {@link String}, of any characters. */
    STRING(0),
    /** A {@link Long}; as text, decimal digits with a sign if negative. */
    INTEGER(1),
    /** A {@link BigDecimal} of at most the field's digits behind the point, and of at most 18 digits when all of those are written. */
    DECIMAL(2),
    /** An {@link Instant} to the microsecond; as text, ISO 8601 with an offset, such as {@code 2019-05-10T05:00:00Z}. */
    DATE_TIME(3);

    private static final long MICROS = 1_000_000;

    /** In files; the place among all types too. */
    final int code;

    FieldType(int code) {
        this.code = code;
    }

    /** Whether values have an order. */
    public boolean isOrdered() {
        return this != STRING;
    }

    /**
     * The value that a text stands for: a {@link String}, {@link Long}, {@link BigDecimal} or {@link Instant}.
     *
     * @throws InvalidValueException if it stands for none
     */
    public Object parse(String text) {
        try {
            return switch (this) {
                case STRING -> text;
                case INTEGER -> Long.parseLong(text);
                case DECIMAL -> decimal(text);
                case DATE_TIME -> OffsetDateTime.parse(text).toInstant();
            };
        } catch (NumberFormatException | DateTimeException e) {
            throw new InvalidValueException("not a value of the type: type=" + this + " value=" + shown(text), e);
        }
    }

    private static BigDecimal decimal(String text) {
        if (text.length() > 64) {
            throw new NumberFormatException("longer than 64 characters");
        }
        return new BigDecimal(text);
    }

    /** A value as the start of a message shows it. */
    static String shown(Object value) {
        String text = value.toString();
        return "'" + (text.length() <= 80 ? text : text.substring(0, 80) + "...") + "'";
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
