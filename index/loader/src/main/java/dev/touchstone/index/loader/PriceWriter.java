package dev.touchstone.index.loader;

import de.siegmar.fastcsv.writer.CsvWriter;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.Price;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A writer of prices as CSV that {@link PriceLoader} can read. */
public final class PriceWriter {
    private PriceWriter() {}

    /**
     * Writes a head, and a line for each price. The target is flushed but not closed.
     *
     * @param prices prices to write
     * @param schema columns and fields, which should include all fields of the prices: values of other fields are not written
     * @param target writer to write to
     * @throws InvalidValueException if a price has several values of a field for which the schema has no separator, a value contains the separator, or a
     *     value is the empty string, which would be read as no value
     * @throws IOException if the target cannot be written
     */
    public static void csv(Iterable<Price> prices, PriceSchema schema, Writer target) throws IOException {
        CsvWriter writer = CsvWriter.builder().build(target);
        List<String> columns = schema.columns();
        String[] cells = new String[columns.size()];
        try {
            writer.writeRecord(columns);
            for (Price price : prices) {
                cells[PriceSchema.ID] = price.id();
                cells[PriceSchema.KEY] = price.offering();
                cells[PriceSchema.VALUE] = price.value().toPlainString();
                cells[PriceSchema.CURRENCY] = price.currency();
                cells[PriceSchema.DEFAULT] = price.isDefault() ? "true" : "";
                String payload = price.payload();
                cells[PriceSchema.PAYLOAD] = payload == null ? "" : payload;
                conditions(price, schema, cells);
                writer.writeRecord(cells);
            }
            writer.flush();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void conditions(Price price, PriceSchema schema, String[] cells) {
        for (int column = PriceSchema.FIRST_FIELD; column < cells.length; column++) {
            Object value = price.conditions().get(schema.column(column));
            Character separator = schema.separator(schema.field(column));
            if (value == null) {
                cells[column] = "";
            } else if (value instanceof BigDecimal decimal) {
                cells[column] = decimal.toPlainString();
            } else if (value instanceof Set<?> || separator != null) {
                Set<?> values = value instanceof Set<?> several ? several : Set.of(value);
                cells[column] = joined(values, separator, price, schema.column(column));
            } else {
                cells[column] = notEmpty(value, price, schema.column(column));
            }
        }
    }

    /** Returns the text of a value; refuses the empty one, because what is read again would match other conditions. */
    private static String notEmpty(Object value, Price price, String field) {
        String text = value.toString();
        if (text.isEmpty()) {
            throw new InvalidValueException(
                    "value is empty, and would be read as no value: id=" + price.id() + " field=" + field);
        }
        return text;
    }

    private static String joined(Set<?> values, @Nullable Character separator, Price price, String field) {
        if (separator == null) {
            throw new InvalidValueException(
                    "several values, and no separator in the schema: id=" + price.id() + " field=" + field);
        }
        for (Object value : values) {
            if (notEmpty(value, price, field).indexOf(separator) >= 0) {
                throw new InvalidValueException("value contains the separator: id=" + price.id() + " field=" + field
                        + " value='" + RowError.shown(value.toString()) + "'");
            }
        }
        return values.stream().map(Object::toString).collect(Collectors.joining(separator.toString()));
    }
}
