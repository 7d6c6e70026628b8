package dev.touchstone.index.loader;

import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvRecord;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of CSV (RFC 4180) with a head that names the columns in any order. Not thread-safe. */
final class CsvSource implements RowSource {
    private static final int[] NEEDED = {PriceSchema.ID, PriceSchema.KEY, PriceSchema.VALUE};

    private final RecordGuard guard;
    private final CloseableIterator<CsvRecord> records;
    private int[] columns = {}; // numbers of the columns, by position in the row
    private @Nullable CsvRecord ahead; // the row behind a bad line, which is reported before the row
    private long line;

    CsvSource(Reader in, PriceSchema schema, LoadOptions options) throws IOException {
        this(in, options);
        columns = columns(head(), schema);
    }

    /** Creates a source whose head was not read. */
    private CsvSource(Reader in, LoadOptions options) {
        guard = new RecordGuard(in, options);
        records = Csv.reader(guard, options.maxRowChars()).iterator();
    }

    private List<String> head() throws IOException {
        CsvRecord head = read();
        RowException bad = guard.takeError(head == null ? Long.MAX_VALUE : head.getStartingLineNumber());
        if (bad != null) {
            throw new LoadException("head is not readable: " + bad.error(1), bad);
        }
        if (head == null) {
            throw new LoadException("no head: the file is empty", null);
        }
        return head.getFields();
    }

    /** Reads the names of the columns from the head of a file. */
    static List<String> columns(Reader in, LoadOptions options) throws IOException {
        try (CsvSource source = new CsvSource(in, options)) {
            return new ArrayList<>(source.head());
        }
    }

    private static int[] columns(List<String> head, PriceSchema schema) {
        int[] columns = new int[head.size()];
        boolean[] isThere = new boolean[schema.columns().size()];
        for (int i = 0; i < columns.length; i++) {
            int column = schema.column(head.get(i));
            if (column < 0) {
                throw new LoadException(
                        "head has a column that is not declared: name='" + RowError.shown(head.get(i)) + "' columns="
                                + schema.columns(),
                        null);
            }
            if (isThere[column]) {
                throw new LoadException("head has a column twice: name=" + head.get(i), null);
            }
            isThere[column] = true;
            columns[i] = column;
        }
        for (int column : NEEDED) {
            if (!isThere[column]) {
                throw new LoadException("head lacks a column: name=" + schema.column(column) + " head=" + head, null);
            }
        }
        return columns;
    }

    /** Returns the exception of the stream that the library has wrapped, or the exception itself if there is no such one. */
    private static RuntimeException unwrapped(CsvParseException e) {
        return e.getCause() instanceof LoadException cause ? cause : e;
    }

    private @Nullable CsvRecord read() throws IOException {
        try {
            return records.hasNext() ? records.next() : null;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (CsvParseException e) {
            throw unwrapped(e);
        }
    }

    @Override
    public boolean next(RowDraft draft) throws IOException, RowException {
        CsvRecord row = ahead == null ? read() : ahead;
        RowException bad = guard.takeError(row == null ? Long.MAX_VALUE : row.getStartingLineNumber());
        if (bad != null) {
            ahead = row;
            throw bad;
        }
        ahead = null;
        if (row == null) {
            return false;
        }
        line = row.getStartingLineNumber();
        int count = row.getFieldCount();
        if (count != columns.length) {
            throw new RowException("", "", "the head has " + columns.length + " cells, the row " + count, null);
        }
        for (int i = 0; i < count; i++) {
            draft.text(columns[i], row.getField(i));
        }
        return true;
    }

    @Override
    public boolean hasColumn(int column) {
        for (int known : columns) {
            if (known == column) {
                return true;
            }
        }
        return false;
    }

    @Override
    public long line() {
        return line;
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
