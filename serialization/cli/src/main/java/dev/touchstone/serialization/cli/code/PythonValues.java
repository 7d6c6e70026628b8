package dev.touchstone.serialization.cli.code;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Expressions of Python for values. */
final class PythonValues {
    private static final int NANOS_OF_MICRO = 1_000;
    private static final int MAX_YEAR = 9999;

    private PythonValues() {}

    /** Returns the value of a field where a record lacks it. @throws IllegalArgumentException if Python cannot hold it */
    static String initial(CodeType type, CodeField field) {
        try {
            Optional<Object> stated = field.meaning().missingValue(field.kind());
            if (stated.isPresent()) {
                return value(field, stated.get());
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "stated value cannot be written in Python: type=" + type.typeName() + " field=" + field.name()
                            + " value=" + field.meaning().missing().orElse("") + "; " + e.getMessage());
        }
        return switch (field.kind()) {
            case BOOLEAN -> "False";
            case INT8, INT16, INT32, INT64 -> "0";
            case FLOAT32, FLOAT64 -> "0.0";
            default -> "None";
        };
    }

    static String string(String value) {
        return '"' + SourceText.escaped(value, each -> String.format(Locale.ROOT, "\\U%08x", each)) + '"';
    }

    private static String value(CodeField field, Object value) {
        if (value instanceof Boolean truth) {
            return truth ? "True" : "False";
        }
        if (value instanceof String text) {
            return field.constants().isPresent() ? constant(field.constants().get(), text) : string(text);
        }
        if (value instanceof BigDecimal decimal) {
            return "_decimal.Decimal(\"" + decimal + "\")";
        }
        if (value instanceof Float || value instanceof Double) {
            return number(((Number) value).doubleValue());
        }
        if (value instanceof long[] numbers) {
            String items = Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining(", "));
            return "_dataclasses.field(default_factory=lambda: [" + items + "])";
        }
        return value instanceof Number ? value.toString() : time(value);
    }

    private static String constant(CodeEnum constants, String text) {
        String member = constants.members().get(text);
        if (member == null) {
            throw new IllegalArgumentException("no such constant");
        }
        return constants.name() + "." + member;
    }

    private static String number(double value) {
        return Double.isNaN(value) || Double.isInfinite(value)
                ? "float(\"" + String.valueOf(value).toLowerCase(Locale.ROOT) + "\")"
                : Double.toString(value);
    }

    private static String time(Object value) {
        if (value instanceof LocalTime time) {
            return "_datetime.time(" + parts(time) + ")";
        }
        if (value instanceof LocalDate date) {
            return "_datetime.date(" + parts(date) + ")";
        }
        if (value instanceof LocalDateTime both) {
            return "_datetime.datetime(" + parts(both) + ")";
        }
        if (value instanceof OffsetDateTime moment) {
            return "_datetime.datetime(" + parts(moment.toLocalDateTime())
                    + ", tzinfo=_datetime.timezone(_datetime.timedelta(seconds="
                    + moment.getOffset().getTotalSeconds() + ")))";
        }
        throw new IllegalArgumentException("no form for " + value.getClass().getName());
    }

    private static String parts(LocalDateTime both) {
        return parts(both.toLocalDate()) + ", " + parts(both.toLocalTime());
    }

    private static String parts(LocalDate date) {
        if (date.getYear() < 1 || date.getYear() > MAX_YEAR) {
            throw new IllegalArgumentException("years are from 1 to " + MAX_YEAR);
        }
        return date.getYear() + ", " + date.getMonthValue() + ", " + date.getDayOfMonth();
    }

    private static String parts(LocalTime time) {
        if (time.getNano() % NANOS_OF_MICRO != 0) {
            throw new IllegalArgumentException("times have whole microseconds");
        }
        return time.getHour() + ", " + time.getMinute() + ", " + time.getSecond() + ", "
                + time.getNano() / NANOS_OF_MICRO;
    }
}
