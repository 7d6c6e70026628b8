package dev.touchstone.serialization.hazelcast.predicate;

import dev.touchstone.serialization.schema.FieldKind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * A constant that a field is compared with. All integers are kept as a {@code Long}, both kinds of floating-point numbers as a {@code Double}.
 * Immutable.
 *
 * @param value of one of the types above, or Boolean, String, BigDecimal, LocalTime, LocalDate, LocalDateTime, OffsetDateTime
 */
public record Constant(Comparable<?> value) {
    /** Limit of the bytes of a decimal without its scale. */
    static final int MAX_DECIMAL_BYTES = 1 << 16;

    private static final BigDecimal MIN_LONG = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal MAX_LONG = BigDecimal.valueOf(Long.MAX_VALUE);

    /** Returns the constant of a value, or null for null. @throws IllegalArgumentException if no field has such values */
    public static @Nullable Constant of(@Nullable Comparable<?> value) {
        return value == null ? null : new Constant(normal(value));
    }

    private static Comparable<?> normal(Comparable<?> value) {
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (value instanceof Float number) {
            return number.doubleValue();
        }
        if (value instanceof BigInteger number) {
            return normal(new BigDecimal(number));
        }
        if (value instanceof BigDecimal number && number.unscaledValue().bitLength() >= 8 * MAX_DECIMAL_BYTES) {
            throw new IllegalArgumentException("decimal is too long: bits="
                    + number.unscaledValue().bitLength() + " max=" + (8 * MAX_DECIMAL_BYTES - 1));
        }
        if (value instanceof String text) {
            return asStored(text);
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof Character character) {
            return asStored(character.toString());
        }
        if (value instanceof Boolean
                || value instanceof Double
                || value instanceof BigDecimal
                || value instanceof LocalTime
                || value instanceof LocalDate
                || value instanceof LocalDateTime
                || value instanceof OffsetDateTime) {
            return value;
        }
        throw new IllegalArgumentException(
                "no field has values of this type: type=" + value.getClass().getName()
                        + " expected=a number, String, Boolean, enum, or a local or offset date or time");
    }

    /** Returns a text as a record has it: Hazelcast and the codec write a question mark for half of a surrogate pair. */
    static String asStored(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
            }
        }
        return text;
    }

    /** Returns this constant as the fields of a kind that is not of numbers have it, or of decimals; null where it can never be compared with them. */
    @Nullable
    Comparable<?> as(FieldKind kind) {
        return switch (kind) {
            case BOOLEAN, NULLABLE_BOOLEAN -> value instanceof Boolean ? value : null;
            case STRING -> value instanceof String ? value : null;
            case DECIMAL -> decimal();
            case TIME -> value instanceof LocalTime ? value : null;
            case DATE -> value instanceof LocalDate ? value : null;
            case TIMESTAMP -> value instanceof LocalDateTime ? value : null;
            case TIMESTAMP_WITH_TIMEZONE -> value instanceof OffsetDateTime ? value : null;
            default -> null;
        };
    }

    private @Nullable BigDecimal decimal() {
        if (value instanceof Double number) {
            return Double.isFinite(number) ? BigDecimal.valueOf(number) : null;
        }
        if (value instanceof Long number) {
            return BigDecimal.valueOf(number);
        }
        return value instanceof BigDecimal number ? number : null;
    }

    /** Returns whether this can be compared with integers. */
    boolean isNumber() {
        return value instanceof Number;
    }

    /** Returns the double that is nearest to this number. */
    double nearest() {
        return ((Number) value).doubleValue();
    }

    /** Compares the nearest double with this number itself: negative if it is less. */
    int roundedBy() {
        if (value instanceof Double) {
            return 0;
        }
        double nearest = nearest();
        if (Double.isInfinite(nearest)) {
            return nearest > 0 ? 1 : -1;
        }
        BigDecimal number = value instanceof Long integer ? BigDecimal.valueOf(integer) : (BigDecimal) value;
        return new BigDecimal(nearest).compareTo(number);
    }

    /** Returns the integer that this is, or null if it is none or does not fit into 64 bits. */
    @Nullable
    Long integer() {
        if (value instanceof Long number) {
            return number;
        }
        BigDecimal number = isNegativeZero() ? null : exact();
        return number != null && isInRange(number) && number.compareTo(BigDecimal.valueOf(floor(number))) == 0
                ? (Long) floor(number)
                : null;
    }

    /**
     * Returns the last integer that is less than or equal to this, or {@link Long#MAX_VALUE} beyond it; null if there is none. A NaN is
     * greater than all, as {@link Double#compare} has it.
     */
    @Nullable
    Long floor() {
        if (value instanceof Long number) {
            return number;
        }
        if (isNegativeZero()) {
            return -1L;
        }
        BigDecimal number = exact();
        if (number == null) {
            return (Double) value < 0 ? null : (Long) Long.MAX_VALUE;
        }
        if (number.compareTo(MIN_LONG) < 0) {
            return null;
        }
        return number.compareTo(MAX_LONG) > 0 ? Long.MAX_VALUE : floor(number);
    }

    /** Returns whether this is -0.0, which is less than 0, as {@link Double#compare} has it. */
    private boolean isNegativeZero() {
        return value instanceof Double number && Double.compare(number, -0.0) == 0;
    }

    private static boolean isInRange(BigDecimal number) {
        return number.compareTo(MIN_LONG) >= 0 && number.compareTo(MAX_LONG) <= 0;
    }

    /** Rounds a number in range. One with a scale of millions would be slow to round, but such a one is less than 1. */
    private static long floor(BigDecimal number) {
        if (number.precision() - (long) number.scale() <= 0) {
            return number.signum() < 0 ? -1 : 0;
        }
        return number.setScale(0, RoundingMode.FLOOR).longValueExact();
    }

    /** Returns a number without a fraction lost, or null for a NaN or an infinity. */
    private @Nullable BigDecimal exact() {
        if (value instanceof BigDecimal number) {
            return number;
        }
        double number = (Double) value;
        return Double.isFinite(number) ? new BigDecimal(number) : null;
    }

    /** Returns the simple name of the value's type, for messages. */
    String type() {
        return value.getClass().getSimpleName();
    }

    @Override
    public String toString() {
        return value instanceof String ? "'" + value + "'" : value.toString();
    }
}
