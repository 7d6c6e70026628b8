package dev.touchstone.index.loader;

import de.siegmar.fastcsv.writer.CsvWriter;
import dev.touchstone.index.Price;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.Map;

/** A writer of prices as CSV that {@link PriceLoader} can read. */
public final class PriceWriter {
    private PriceWriter() {}

    /**
     * Writes a head, and a line for each price. The target is flushed but not closed.
     *
     * @param prices prices to write
     * @param schema columns and fields, which should include all fields of the prices: values of other fields are not written
     * @param target writer to write to
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
                conditions(price.conditions(), schema, cells);
                writer.writeRecord(cells);
            }
            writer.flush();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void conditions(Map<String, Object> conditions, PriceSchema schema, String[] cells) {
        for (int column = PriceSchema.FIRST_FIELD; column < cells.length; column++) {
            Object value = conditions.get(schema.column(column));
            cells[column] = value == null
                    ? ""
                    : value instanceof java.math.BigDecimal decimal ? decimal.toPlainString() : value.toString();
        }
    }
}
