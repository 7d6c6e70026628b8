package dev.touchstone.index.loader;

import dev.touchstone.index.Price;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The prices of one source, which can be read once. Not thread-safe.
 *
 * <p>Holds one row at a time, and the ids of all prices: 16 bytes of each id that is a UUID, in a hash table with free slots. Rows that are not
 * prices, or that have the same id as an earlier price of their offering, are skipped and counted in the {@link #report}.
 *
 * <p>The iterator throws {@link LoadException} if there are more bad rows than {@link LoadOptions#maxErrors}, or if the source ends without a price and
 * {@link LoadOptions#mayBeEmpty} is false; and {@link UncheckedIOException} if the source cannot be read.
 */
public final class PriceLoad implements Iterable<Price>, Closeable {
    private final RowSource source;
    private final LoadOptions options;
    private final RowDraft draft;
    private final Map<String, IdSet> ids = new HashMap<>();
    private final long seed = System.nanoTime();
    private final List<RowError> first = new ArrayList<>();
    private long loaded;
    private long errors;
    private boolean isStarted;

    PriceLoad(RowSource source, PriceSchema schema, LoadOptions options) {
        this.source = source;
        this.options = options;
        draft = new RowDraft(schema, options);
    }

    /**
     * Returns the iterator over the prices.
     *
     * @return the only iterator of this load
     * @throws IllegalStateException if this method was called before
     */
    @Override
    public Iterator<Price> iterator() {
        if (isStarted) {
            throw new IllegalStateException("a source is read once");
        }
        isStarted = true;
        return new Prices();
    }

    /**
     * Returns a report of the rows that were read so far. Once the iterator has no more prices, the report is about all rows.
     *
     * @return report
     */
    public LoadReport report() {
        return new LoadReport(loaded + errors, loaded, errors, first);
    }

    /**
     * Checks that the source has columns, which finds misspelt names. JSON Lines have the columns that a row named so far, so this method should be
     * called once the iterator has no more prices.
     *
     * @param names names of columns, not null
     * @throws UnknownColumnException if the source lacks one of the columns, about the first such name
     */
    public void requireColumns(Collection<String> names) {
        for (String name : names) {
            int column = draft.schema.column(name);
            if (column < 0 || !source.hasColumn(column)) {
                throw new UnknownColumnException(name, present());
            }
        }
    }

    private List<String> present() {
        List<String> present = new ArrayList<>();
        for (String name : draft.schema.columns()) {
            if (source.hasColumn(draft.schema.column(name))) {
                present.add(name);
            }
        }
        return present;
    }

    @Override
    public void close() throws IOException {
        source.close();
    }

    private @Nullable Price read() throws IOException {
        while (true) {
            draft.clear();
            try {
                if (!source.next(draft)) {
                    checkNotEmpty();
                    return null;
                }
                Price price = draft.price();
                if (!ids.computeIfAbsent(price.offering(), offering -> new IdSet(seed))
                        .add(price.id())) {
                    throw draft.wrong(PriceSchema.ID, price.id(), "the offering has a price of this id already", null);
                }
                loaded++;
                return price;
            } catch (RowException e) {
                note(e.error(source.line()));
            }
        }
    }

    private void checkNotEmpty() {
        if (loaded == 0 && !options.mayBeEmpty()) {
            throw new LoadException(
                    "no prices: rows=" + errors + " errors=" + errors
                            + (first.isEmpty() ? "" : " first: " + first.get(0))
                            + "; expected at least one price; correct the source, or set mayBeEmpty (--allow-empty)",
                    null);
        }
    }

    private void note(RowError error) {
        errors++;
        if (first.size() < options.reportedErrors()) {
            first.add(error);
        }
        if (errors > options.maxErrors()) {
            throw new LoadException(
                    "more bad rows than maxErrors=" + options.maxErrors() + ": " + error
                            + "; correct the row, or raise maxErrors (--max-errors)",
                    null);
        }
    }

    private final class Prices implements Iterator<Price> {
        private @Nullable Price next;
        private boolean isOver;

        @Override
        public boolean hasNext() {
            if (next == null && !isOver) {
                try {
                    next = read();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                isOver = next == null;
            }
            return next != null;
        }

        @Override
        public Price next() {
            Price found = hasNext() ? next : null;
            if (found == null) {
                throw new NoSuchElementException();
            }
            next = null;
            return found;
        }
    }
}
