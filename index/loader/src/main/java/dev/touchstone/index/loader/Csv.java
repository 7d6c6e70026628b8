package dev.touchstone.index.loader;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.Reader;

/** The settings of the CSV library. Its own limits are never reached, because {@link RecordGuard} and {@link CsvSource} refuse bad rows before. */
final class Csv {
    private Csv() {}

    static CsvReader<CsvRecord> reader(Reader in, int maxRowChars) {
        return CsvReader.builder()
                .skipEmptyLines(true)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .maxBufferSize(Math.max(1 << 16, maxRowChars * 2 + 16))
                .build(
                        CsvRecordHandler.of(handler -> handler.maxFields(maxRowChars + 1)
                                .maxFieldSize(maxRowChars + 1)
                                .maxRecordSize(2 * maxRowChars)),
                        in);
    }
}
