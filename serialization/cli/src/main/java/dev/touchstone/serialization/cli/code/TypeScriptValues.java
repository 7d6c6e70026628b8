package dev.touchstone.serialization.cli.code;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** Expressions of TypeScript for values. */
final class TypeScriptValues {
    private static final String NEW = "new ";
    private static final String END = ")";

    private TypeScriptValues() {}

    /** Returns the value of a field where a record lacks it. @throws IllegalArgumentException if the lock states none of its kind */
    static String initial(CodeType type, CodeField field) {
        try {
            Optional<Object> stated = field.meaning().missingValue(field.kind());
            if (stated.isPresent()) {
                return value(field, stated.get());
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("stated value cannot be written in TypeScript: type=" + type.typeName()
                    + " field=" + field.name() + " value="
                    + field.meaning().missing().orElse("") + "; "
                    + e.getMessage());
        }
        return switch (field.kind()) {
            case BOOLEAN -> "false";
            case INT8, INT16, INT32, FLOAT32, FLOAT64 -> "0";
            case INT64 -> "Long.ZERO";
            default -> "null";
        };
    }

    static String string(String value) {
        return "'" + SourceText.escaped(value, each -> "\\u{" + Integer.toHexString(each) + "}") + "'";
    }

    private static String value(CodeField field, Object value) {
        if (value instanceof String text) {
            boolean isKnown = field.constants().isEmpty()
                    || field.constants().get().members().containsKey(text);
            if (!isKnown) {
                throw new IllegalArgumentException("no such constant");
            }
            return string(text);
        }
        if (value instanceof BigDecimal decimal) {
            return NEW + "BigDecimal(BigInt('" + decimal.unscaledValue() + "'), " + decimal.scale() + END;
        }
        if (value instanceof Float || value instanceof Double) {
            return number(((Number) value).doubleValue());
        }
        if (value instanceof Long number) {
            return int64(number);
        }
        if (value instanceof long[] numbers) {
            return Arrays.stream(numbers).mapToObj(TypeScriptValues::int64).collect(Collectors.joining(", ", "[", "]"));
        }
        return value instanceof Boolean || value instanceof Number ? value.toString() : time(value);
    }

    private static String int64(long value) {
        return "Long.fromString('" + value + "')";
    }

    private static String number(double value) {
        return Double.isNaN(value) || Double.isInfinite(value)
                ? String.valueOf(value).replace("NaN", "Number.NaN")
                : Double.toString(value);
    }

    private static String time(Object value) {
        if (value instanceof LocalTime time) {
            return NEW + "LocalTime(" + time.getHour() + ", " + time.getMinute() + ", " + time.getSecond() + ", "
                    + time.getNano() + END;
        }
        if (value instanceof LocalDate date) {
            return NEW + "LocalDate(" + date.getYear() + ", " + date.getMonthValue() + ", " + date.getDayOfMonth()
                    + END;
        }
        if (value instanceof LocalDateTime both) {
            return NEW + "LocalDateTime(" + time(both.toLocalDate()) + ", " + time(both.toLocalTime()) + END;
        }
        if (value instanceof OffsetDateTime moment) {
            return NEW + "OffsetDateTime(" + time(moment.toLocalDateTime()) + ", "
                    + moment.getOffset().getTotalSeconds() + END;
        }
        throw new IllegalArgumentException("no form for " + value.getClass().getName());
    }
}
