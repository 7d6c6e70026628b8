package dev.touchstone.index.loader;

import dev.touchstone.index.Field;
import dev.touchstone.index.FieldType;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.Price;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A row whose values are being collected, and the price that they make. Used for one row after the other. Not thread-safe. */
final class RowDraft {
    final PriceSchema schema;
    private final int maxChars;
    private final LocalTimes times;
    private final @Nullable Object[] values; // by column

    RowDraft(PriceSchema schema, LoadOptions options) {
        this.schema = schema;
        maxChars = options.maxFieldChars();
        times = new LocalTimes(options.zone());
        values = new Object[schema.columns().size()];
    }

    void clear() {
        Arrays.fill(values, null);
    }

    /** Sets a column from text. Empty text means that there is no value. */
    void text(int column, String text) throws RowException {
        if (text.isEmpty()) {
            return;
        }
        if (text.length() > maxChars) {
            throw wrong(column, text, "longer than " + maxChars + " characters: length=" + text.length(), null);
        }
        requireWhole(column, text);
        Character separator = column < PriceSchema.FIRST_FIELD ? null : schema.separator(schema.field(column));
        if (separator != null && text.indexOf(separator) >= 0) {
            split(column, text, separator);
            return;
        }
        try {
            set(column, parsed(column, text), text);
        } catch (InvalidValueException | DateTimeException e) {
            throw wrong(column, text, String.valueOf(e.getMessage()), e);
        }
    }

    /** Sets a column from several values, which only a field of strings can have; they are strings that are not empty. */
    void texts(int column, List<?> several) throws RowException {
        boolean isOfStrings =
                column >= PriceSchema.FIRST_FIELD && schema.field(column).type() == FieldType.STRING;
        if (!isOfStrings) {
            throw wrong(column, "", "several values, where one can be", null);
        }
        if (several.isEmpty() || several.size() > Price.MAX_VALUES) {
            throw wrong(column, "", "number of values is " + several.size() + ", not 1 to " + Price.MAX_VALUES, null);
        }
        for (Object value : several) {
            String text = value instanceof String known ? known : "";
            if (text.isEmpty() || text.length() > maxChars) {
                String shown = String.valueOf(value);
                throw wrong(
                        column, shown, "one of several values is no string of 1 to " + maxChars + " characters", null);
            }
            requireWhole(column, text);
        }
        set(column, several, "");
    }

    /** Checks that a text has no surrogate without its other half: JSON can escape one, and no index takes it. */
    private void requireWhole(int column, String text) throws RowException {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (i + 1 == text.length() || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
                    throw wrong(column, text, "half of a character: at=" + i, null);
                }
                i++;
            }
        }
    }

    private void split(int column, String text, char separator) throws RowException {
        List<String> several = new ArrayList<>();
        int from = 0;
        for (int to = text.indexOf(separator); to >= 0; to = text.indexOf(separator, from)) {
            several.add(text.substring(from, to));
            from = to + 1;
        }
        several.add(text.substring(from));
        texts(column, several);
    }

    /** Sets a column from the text of a number, which only the value and numeric fields can be. */
    void number(int column, String text) throws RowException {
        boolean isNumber = column == PriceSchema.VALUE
                || (column >= PriceSchema.FIRST_FIELD
                        && isNumeric(schema.field(column).type()));
        if (!isNumber) {
            throw wrong(column, text, "a number, where none can be", null);
        }
        text(column, text);
    }

    private static boolean isNumeric(FieldType type) {
        return type == FieldType.INTEGER || type == FieldType.DECIMAL;
    }

    /** Sets a column from a date and time without an offset: a point in time of the zone, or its text where a point in time cannot be. */
    void local(int column, LocalDateTime time) throws RowException {
        String text = DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(time);
        try {
            text(column, isPoint(column) ? times.instant(time).toString() : text);
        } catch (DateTimeException e) {
            throw wrong(column, text, String.valueOf(e.getMessage()), e);
        }
    }

    /** Sets a column from a date: the first moment of the day in the zone, or the text of the date where a point in time cannot be. */
    void day(int column, LocalDate day) throws RowException {
        try {
            text(column, isPoint(column) ? times.firstMoment(day).toString() : day.toString());
        } catch (DateTimeException e) {
            throw wrong(column, day.toString(), String.valueOf(e.getMessage()), e);
        }
    }

    private boolean isPoint(int column) {
        return column >= PriceSchema.FIRST_FIELD && schema.field(column).type() == FieldType.DATE_TIME;
    }

    /** Sets a column from a boolean, which only the column of default prices can be. */
    void bool(int column, boolean value) throws RowException {
        if (column != PriceSchema.DEFAULT) {
            throw wrong(column, String.valueOf(value), "true or false, where neither can be", null);
        }
        set(column, value, "");
    }

    private void set(int column, Object value, String text) throws RowException {
        if (values[column] != null) {
            throw wrong(column, text, "column is there twice", null);
        }
        values[column] = value;
    }

    private Object parsed(int column, String text) throws RowException {
        return switch (column) {
            case PriceSchema.ID, PriceSchema.KEY, PriceSchema.CURRENCY, PriceSchema.PAYLOAD -> text;
            case PriceSchema.VALUE -> FieldType.DECIMAL.parse(text);
            case PriceSchema.DEFAULT -> isTrue(text);
            default -> {
                Field field = schema.field(column);
                yield switch (field.type()) {
                    case STRING -> text;
                    case INTEGER, DECIMAL -> field.parse(text);
                    case DATE_TIME ->
                        field.parse(
                                LocalTimes.hasOffset(text)
                                        ? LocalTimes.iso(text)
                                        : times.parse(text).toString());
                };
            }
        };
    }

    private Object isTrue(String text) throws RowException {
        return switch (text) {
            case "true", "TRUE", "1" -> true;
            case "false", "FALSE", "0" -> false;
            default -> throw wrong(PriceSchema.DEFAULT, text, "neither true nor false", null);
        };
    }

    /** Returns the price that the values make. */
    Price price() throws RowException {
        String id = (String) needed(PriceSchema.ID);
        String key = (String) needed(PriceSchema.KEY);
        BigDecimal value = (BigDecimal) needed(PriceSchema.VALUE);
        Map<String, Object> conditions = new HashMap<>(values.length * 2);
        for (int column = PriceSchema.FIRST_FIELD; column < values.length; column++) {
            Object found = values[column];
            if (found != null) {
                conditions.put(schema.column(column), found);
            }
        }
        Object currency = values[PriceSchema.CURRENCY];
        try {
            return new Price(
                    id,
                    key,
                    conditions,
                    value,
                    currency == null ? "" : (String) currency,
                    Boolean.TRUE.equals(values[PriceSchema.DEFAULT]),
                    (String) values[PriceSchema.PAYLOAD]);
        } catch (InvalidValueException e) {
            throw wrong(PriceSchema.VALUE, value.toString(), String.valueOf(e.getMessage()), e);
        }
    }

    private Object needed(int column) throws RowException {
        Object found = values[column];
        if (found == null) {
            throw wrong(column, "", "value is missing", null);
        }
        return found;
    }

    RowException wrong(int column, String value, String reason, @Nullable Throwable cause) {
        return new RowException(schema.column(column), value, reason, cause);
    }
}
