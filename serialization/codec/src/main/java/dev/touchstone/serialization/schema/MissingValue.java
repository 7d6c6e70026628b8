package dev.touchstone.serialization.schema;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.UUID;

/** Parser of the texts that {@link FieldMeaning#missing} holds. */
final class MissingValue {
    private static final String CHAR = "char";
    private static final String DURATION = "duration";
    private static final String UUID_FORMAT = "uuid";

    private MissingValue() {}

    /** Returns the value of a text, as a reader gives it. @throws IllegalArgumentException if the text is no value of the kind and format */
    static Object parse(String text, FieldKind kind, String format) {
        try {
            return format.equals(CHAR) ? Short.valueOf((short) character(text)) : ofKind(text, kind, format);
        } catch (NumberFormatException | DateTimeException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static Object ofKind(String text, FieldKind kind, String format) {
        return switch (kind) {
            case BOOLEAN, NULLABLE_BOOLEAN -> truth(text);
            case INT8, NULLABLE_INT8 -> Byte.valueOf(text);
            case INT16, NULLABLE_INT16 -> Short.valueOf(text);
            case INT32, NULLABLE_INT32 -> Integer.valueOf(text);
            case INT64, NULLABLE_INT64 -> Long.valueOf(text);
            case FLOAT32, NULLABLE_FLOAT32 -> Float.valueOf(text);
            case FLOAT64, NULLABLE_FLOAT64 -> Double.valueOf(text);
            case STRING -> string(text, format);
            case DECIMAL -> new BigDecimal(text);
            case TIME -> LocalTime.parse(text);
            case DATE -> LocalDate.parse(text);
            case TIMESTAMP -> LocalDateTime.parse(text);
            case TIMESTAMP_WITH_TIMEZONE -> OffsetDateTime.parse(text);
            case ARRAY_OF_INT64 -> halves(text, format);
            default -> throw new IllegalArgumentException("a field of this kind has no stated value");
        };
    }

    private static char character(String text) {
        if (text.length() != 1) {
            throw new IllegalArgumentException("not one character");
        }
        return text.charAt(0);
    }

    private static Boolean truth(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("neither true nor false");
        }
        return Boolean.valueOf(text);
    }

    /** Returns the text that the program writes for the value, which may have been stated in another form. */
    private static String string(String text, String format) {
        return switch (format) {
            case UUID_FORMAT -> UUID.fromString(text).toString();
            case DURATION -> Duration.parse(text).toString();
            default -> text;
        };
    }

    private static long[] halves(String text, String format) {
        if (!format.equals(UUID_FORMAT)) {
            throw new IllegalArgumentException("an array has no stated value");
        }
        UUID value = UUID.fromString(text);
        return new long[] {value.getMostSignificantBits(), value.getLeastSignificantBits()};
    }
}
