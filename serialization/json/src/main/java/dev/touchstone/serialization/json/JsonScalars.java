package dev.touchstone.serialization.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.touchstone.serialization.json.CompactJsonException.Reason;
import dev.touchstone.serialization.schema.FieldKind;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.function.Function;

/** Reader of JSON values that stand for one value of a kind, other than null and records. Not thread-safe. */
final class JsonScalars {
    /** Digits of a decimal, in both directions: parsing takes time that grows with their square. */
    static final int MAX_DECIMAL_CHARS = 10_000;

    /** Length of an exponent of ten digits, with its sign and the letter in front. */
    private static final int MAX_EXPONENT_CHARS = 12;

    private static final int MAX_INT64_CHARS = 20;
    private static final String NOT_A_NUMBER = "NaN";
    private static final String INFINITY = "Infinity";
    private static final String NEGATIVE_INFINITY = "-Infinity";
    private static final String FRACTION = "a number, or \"NaN\", \"Infinity\" or \"-Infinity\"";

    private final JsonParser parser;
    private final Failures failures;

    JsonScalars(JsonParser parser, Failures failures) {
        this.parser = parser;
        this.failures = failures;
    }

    /** Reads the current token as a value of a kind that is neither an array nor COMPACT. */
    Object read(FieldKind kind) throws IOException {
        return switch (kind) {
            case BOOLEAN, NULLABLE_BOOLEAN -> truth();
            case INT8, NULLABLE_INT8 -> (byte) whole(Byte.MIN_VALUE, Byte.MAX_VALUE);
            case INT16, NULLABLE_INT16 -> (short) whole(Short.MIN_VALUE, Short.MAX_VALUE);
            case INT32, NULLABLE_INT32 -> (int) whole(Integer.MIN_VALUE, Integer.MAX_VALUE);
            case INT64, NULLABLE_INT64 -> whole(Long.MIN_VALUE, Long.MAX_VALUE);
            case FLOAT32, NULLABLE_FLOAT32 -> float32();
            case FLOAT64, NULLABLE_FLOAT64 -> float64();
            case STRING -> string();
            case DECIMAL -> decimal();
            case TIME -> time(LocalTime::parse, "a time such as \"10:15:30.5\"");
            case DATE -> time(LocalDate::parse, "a date such as \"2026-11-21\"");
            case TIMESTAMP -> time(LocalDateTime::parse, "a timestamp such as \"2026-11-21T10:15:30\"");
            case TIMESTAMP_WITH_TIMEZONE ->
                time(OffsetDateTime::parse, "a timestamp with an offset such as \"2026-11-21T10:15:30+01:00\"");
            default -> throw new IllegalArgumentException("not a scalar: kind=" + kind);
        };
    }

    /** Reads the current string as the Base64 of bytes. */
    byte[] bytes() throws IOException {
        try {
            return Base64.getDecoder().decode(parser.getText());
        } catch (IllegalArgumentException e) {
            throw failures.value("bytes in Base64");
        }
    }

    private Boolean truth() throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            default -> throw failures.value("true or false");
        };
    }

    private long whole(long min, long max) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT && parser.getTextLength() <= MAX_INT64_CHARS) {
            try {
                long value = Long.parseLong(parser.getText());
                if (value >= min && value <= max) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // Digits beyond the range of a long: refused below.
            }
        }
        throw failures.value("a whole number from " + min + " to " + max + ", without a fraction or an exponent");
    }

    /** Reads a float from its text: by way of a double, it would be rounded twice. */
    private Float float32() throws IOException {
        if (parser.currentToken().isNumeric()) {
            float value = Float.parseFloat(parser.getText());
            if (Float.isInfinite(value)) {
                throw failures.value("a number within the range of FLOAT32");
            }
            return value;
        }
        return (float) special();
    }

    private Double float64() throws IOException {
        if (parser.currentToken().isNumeric()) {
            double value = Double.parseDouble(parser.getText());
            if (Double.isInfinite(value)) {
                throw failures.value("a number within the range of FLOAT64");
            }
            return value;
        }
        return special();
    }

    private double special() throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw failures.value(FRACTION);
        }
        return switch (parser.getText()) {
            case NOT_A_NUMBER -> Double.NaN;
            case INFINITY -> Double.POSITIVE_INFINITY;
            case NEGATIVE_INFINITY -> Double.NEGATIVE_INFINITY;
            default -> throw failures.value(FRACTION);
        };
    }

    private String string() throws IOException {
        String text = text("a string");
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (Character.isHighSurrogate(each)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(each)) {
                throw failures.value("a string that UTF-8 can hold, without half of a surrogate pair at " + i);
            }
        }
        return text;
    }

    private BigDecimal decimal() throws IOException {
        boolean isText = parser.currentToken() == JsonToken.VALUE_STRING;
        if (!isText && !parser.currentToken().isNumeric()) {
            throw failures.value("a decimal as a string or a number");
        }
        if (parser.getTextLength() > MAX_DECIMAL_CHARS) {
            throw failures.of(
                    Reason.LIMIT,
                    "decimal is too long: chars=" + parser.getTextLength() + " allowed=" + MAX_DECIMAL_CHARS);
        }
        try {
            return decimal(parser.getText());
        } catch (NumberFormatException e) {
            throw failures.value("a decimal such as \"1.20\", with an exponent of at most ten digits");
        }
    }

    /**
     * Returns the decimal of a text. Java writes exponents beyond an int, where the scale is near its lower end, but does not read them.
     *
     * @throws NumberFormatException if the text is no decimal, or its scale is not an int
     */
    private static BigDecimal decimal(String text) {
        int exponentAt = Math.max(text.indexOf('e'), text.indexOf('E'));
        if (exponentAt < 0 || text.length() - exponentAt > MAX_EXPONENT_CHARS) {
            return new BigDecimal(text);
        }
        BigDecimal digits = new BigDecimal(text.substring(0, exponentAt));
        long scale = digits.scale() - Long.parseLong(text.substring(exponentAt + 1));
        if ((int) scale != scale) {
            throw new NumberFormatException("scale is out of range: " + scale);
        }
        return new BigDecimal(digits.unscaledValue(), (int) scale);
    }

    private <T> T time(Function<CharSequence, T> parse, String expected) throws IOException {
        try {
            return parse.apply(text(expected));
        } catch (DateTimeException e) {
            throw failures.value(expected);
        }
    }

    private String text(String expected) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw failures.value(expected);
        }
        return parser.getText();
    }
}
