package dev.touchstone.index.price;

import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.Explanation;
import dev.touchstone.index.Facet;
import dev.touchstone.index.Field;
import dev.touchstone.index.IndexException;
import dev.touchstone.index.IndexStats;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.UnknownFieldException;
import dev.touchstone.index.engine.BoundQuery;
import dev.touchstone.index.engine.Explainer;
import dev.touchstone.index.engine.FacetCounter;
import dev.touchstone.index.engine.Fields;
import dev.touchstone.index.engine.PayloadCache;
import dev.touchstone.index.engine.PriceColumns;
import dev.touchstone.index.engine.ResultCollector;
import dev.touchstone.index.engine.Segment;
import dev.touchstone.index.engine.Snapshot;
import dev.touchstone.index.engine.SnapshotBuilder;
import dev.touchstone.index.file.IndexFile;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An index that finds the prices that apply: prices of offerings, each under conditions on typed fields. Thread-safe.
 *
 * <p>Searches take no lock. Each search sees one version of the whole index, and the result names that version. {@link #update} publishes the next
 * version, in which only the changed offerings are new. A search that begins after an update has returned sees that version or a later one; all that
 * happened before the update happened before the search.
 *
 * <p>A search in one offering takes time in proportion to the words of a bitmap over the prices of the offering, times the number of conditions. A
 * search that names one value for each field takes one look-up.
 */
public final class PriceIndex {
    private static final long CACHE_BYTES = 4 << 20;

    private final String key;
    final Fields fields;
    private final PayloadCache payloads;
    private volatile Snapshot current;

    PriceIndex(String key, Fields fields, Snapshot snapshot, PayloadCache payloads) {
        this.key = key;
        this.fields = fields;
        this.payloads = payloads;
        current = snapshot;
    }

    /**
     * Returns a builder of a new index.
     *
     * @return a new builder without fields
     */
    public static PriceIndexBuilder builder() {
        return new PriceIndexBuilder();
    }

    /**
     * Reads an index into memory from a file that {@link #write} made. Files that killed writers have left beside it are deleted.
     *
     * @param file path of the file
     * @return index at the version of the file
     * @throws CorruptIndexException if the file is damaged, is not an index file, or holds entries
     * @throws IOException if the file cannot be read
     */
    public static PriceIndex open(Path file) throws IOException {
        return of(file, false, 0, false);
    }

    /**
     * Maps an index from a file that {@link #write} made. Ids, currencies and payloads stay in the file, which is mapped, and values too where the rows
     * of conditions have no bits left for them: the file must not be changed in place, but may be replaced. The whole file is read once and checked. A
     * cache of {@value #CACHE_BYTES} bytes in the heap holds payloads that were read.
     *
     * @param file path of the file
     * @return index at the version of the file
     * @throws CorruptIndexException if the file is damaged, is not an index file, or holds entries
     * @throws IOException if the file cannot be read
     */
    public static PriceIndex map(Path file) throws IOException {
        return map(file, CACHE_BYTES);
    }

    /**
     * Maps an index from a file that {@link #write} made, with a given size of the cache of payloads. Ids, currencies and payloads stay in
     * the file, which is mapped, and values as by {@link #map(Path)}: the file must not be changed in place, but may be replaced. The whole file is read once and checked.
     *
     * @param file path of the file
     * @param cacheBytes approximate maximum size in bytes of the payloads in the cache, at least 0; 0 reads each payload from the file
     * @return index at the version of the file
     * @throws IllegalArgumentException if the size is negative
     * @throws CorruptIndexException if the file is damaged, is not an index file, or holds entries
     * @throws IOException if the file cannot be read
     */
    public static PriceIndex map(Path file, long cacheBytes) throws IOException {
        if (cacheBytes < 0) {
            throw new IllegalArgumentException("cacheBytes=" + cacheBytes);
        }
        return of(file, true, cacheBytes, false);
    }

    /**
     * Reads or maps a file of entries, for {@link dev.touchstone.index.entry.EntryIndex}. All other methods refuse such a file, whose values are no prices.
     *
     * @param file path of the file
     * @param isMapped whether to leave ids and payloads in the file, as {@link #map(Path)} does
     * @return index at the version of the file
     * @throws CorruptIndexException if the file is damaged, is not an index file, or holds prices
     * @throws IOException if the file cannot be read
     */
    public static PriceIndex ofEntries(Path file, boolean isMapped) throws IOException {
        return of(file, isMapped, isMapped ? CACHE_BYTES : 0, true);
    }

    private static PriceIndex of(Path file, boolean isMapped, long cacheBytes, boolean hasEntries) throws IOException {
        IndexFile.Contents contents = IndexFile.open(file, isMapped, hasEntries);
        return new PriceIndex(contents.key(), contents.fields(), contents.snapshot(), new PayloadCache(cacheBytes));
    }

    /**
     * Checks all bytes of a file.
     *
     * @param file path of the file
     * @throws CorruptIndexException if the file is damaged, with the name of the section, or is not an index file
     * @throws IOException if the file cannot be read
     */
    public static void validate(Path file) throws IOException {
        IndexFile.read(file, true);
    }

    /**
     * Writes the current version to a file, which is on the device when this method returns. Until then, and if this method fails, the file is the old one;
     * or the new one, if only its folder could not be forced to the device.
     *
     * @param file path of the file
     * @param attributes attributes that the new file has from the start, such as its permissions; without any, it takes over the permissions of the old file,
     *     if there is one and the file system has POSIX permissions, and its group and owner as far as this process may; a group that it may not set gets no
     *     more permissions than everybody. Access control lists are not taken over
     * @throws IOException if the file cannot be written
     * @throws UnsupportedOperationException if the file system does not support an attribute
     */
    public void write(Path file, FileAttribute<?>... attributes) throws IOException {
        IndexFile.write(file, key, fields, current, attributes);
    }

    /**
     * Returns an index of the same prices at the same version, which shares all of them with this one. Neither sees updates of the other.
     *
     * @return a new index, which accepts the queries of this one
     */
    public PriceIndex copy() {
        return new PriceIndex(key, fields, current, payloads);
    }

    /**
     * Returns the number of the current version, from 1, which grows by 1 with each update.
     *
     * @return number of the version
     */
    public long version() {
        return current.version();
    }

    /**
     * Returns the name of the key.
     *
     * @return name of the key; empty in an index of entries
     */
    public String keyField() {
        return key;
    }

    /**
     * Returns all fields by ordinal.
     *
     * @return unmodifiable list
     */
    public List<Field> fields() {
        return fields.list;
    }

    /**
     * Returns the field with a name.
     *
     * @param name name of the field
     * @return field
     * @throws UnknownFieldException if there is no such field
     */
    public Field field(String name) {
        return fields.named(name);
    }

    /** Returns the current version. */
    Snapshot snapshot() {
        return current;
    }

    /** Returns the dictionaries of the current version. */
    Snapshot.Codes codes() {
        return current.codes();
    }

    /**
     * Returns a query without an offering and conditions.
     *
     * @return a new query for this index
     */
    public PriceQuery query() {
        return new PriceQuery(fields, this);
    }

    /**
     * Searches the prices that match a query.
     *
     * @param query query for this index
     * @return result by the policy of the query
     * @throws IllegalArgumentException if the query is for another index
     */
    public SearchResult search(PriceQuery query) {
        return search(query, current, () -> false);
    }

    /**
     * Searches the prices that match a query, like {@link #search(PriceQuery)}, and can be stopped.
     *
     * @param query query for this index
     * @param isStopped called on this thread at least once for every 64 offerings and once for every 131,072 prices of one; returns whether to stop
     * @return result by the policy of the query
     * @throws IllegalArgumentException if the query is for another index
     * @throws CancellationException if {@code isStopped} returned true; the message names the offering and the row
     */
    public SearchResult search(PriceQuery query, BooleanSupplier isStopped) {
        return search(query, current, isStopped);
    }

    private SearchResult search(PriceQuery query, Snapshot snapshot, BooleanSupplier isStopped) {
        ResultCollector matches = snapshot.find(own(query), query.policy(), isStopped);
        if (matches.count == 0) {
            return new SearchResult.NotFound(snapshot.version());
        }
        return switch (query.policy()) {
            case FIRST -> new FoundInIndex(this, snapshot, matches.places[0]);
            case ALL -> new FoundInIndex(this, snapshot, matches);
            case ERROR -> only(snapshot, matches, ResultCollector.NONE);
            case DEFAULT, SPECIFIC -> only(snapshot, matches, matches.firstDefault);
        };
    }

    /**
     * Returns the query of the engine for a query.
     *
     * @throws IllegalArgumentException if the query is for another index
     */
    BoundQuery own(PriceQuery query) {
        if (query.bound.fields() != fields) {
            throw new IllegalArgumentException("query of another index: " + query);
        }
        return query.bound;
    }

    private SearchResult only(Snapshot snapshot, ResultCollector matches, long preferred) {
        if (matches.count == 1) {
            return new FoundInIndex(this, snapshot, matches.places[0]);
        }
        return preferred != ResultCollector.NONE
                ? new FoundInIndex(this, snapshot, preferred)
                : new SearchResult.Ambiguous(snapshot.version(), matches.count);
    }

    /**
     * Searches for several queries in one version of the index.
     *
     * @param queries queries for this index
     * @return results in the order of the queries
     * @throws IllegalArgumentException if a query is for another index
     */
    public List<SearchResult> searchAll(List<PriceQuery> queries) {
        return searchAll(queries, current);
    }

    private List<SearchResult> searchAll(List<PriceQuery> queries, Snapshot at) {
        return queries.stream().map(query -> search(query, at, () -> false)).toList();
    }

    /**
     * Searches for several queries in one version of the index, in parts that an executor runs concurrently. All parts are over when this method
     * returns or throws.
     *
     * @param queries queries for this index, none of them twice
     * @param executor executor of the parts
     * @param parts number of parts, at least 1
     * @return results in the order of the queries
     * @throws IllegalArgumentException if the number of parts is below 1, or a query is for another index
     * @throws RejectedExecutionException if the executor rejects a part
     */
    public List<SearchResult> searchAll(List<PriceQuery> queries, Executor executor, int parts) {
        if (parts < 1) {
            throw new IllegalArgumentException("parts=" + parts);
        }
        Snapshot at = current;
        List<CompletableFuture<List<SearchResult>>> running = new ArrayList<>(parts);
        for (int part = 0; part < parts; part++) {
            List<PriceQuery> some = queries.subList(
                    (int) ((long) queries.size() * part / parts), (int) ((long) queries.size() * (part + 1) / parts));
            try {
                running.add(CompletableFuture.supplyAsync(() -> searchAll(some, at), executor));
            } catch (RuntimeException | Error e) { // the parts that run must be over first
                running.add(CompletableFuture.failedFuture(e));
            }
        }
        try {
            CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).join();
            return running.stream().flatMap(part -> part.join().stream()).toList();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                cause.addSuppressed(e);
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw e;
        }
    }

    /**
     * Explains how a query is searched, and which condition leaves no price. The method tests each price of the offering; it is made for people.
     *
     * @param query query for this index
     * @return explanation
     * @throws IllegalArgumentException if the query is for another index
     */
    public Explanation explain(PriceQuery query) {
        return explain(query, () -> false);
    }

    /**
     * Explains a query like {@link #explain(PriceQuery)}, until the caller stops the explanation.
     *
     * @param query query for this index
     * @param isStopped called on this thread at least once for every 256 rows; returns whether to stop
     * @return explanation
     * @throws IllegalArgumentException if the query is for another index
     * @throws CancellationException if {@code isStopped} returned true; the message names the offering and the row
     */
    public Explanation explain(PriceQuery query, BooleanSupplier isStopped) {
        return Explainer.explain(current, own(query), isStopped);
    }

    /**
     * Applies all changes of a batch in order, and publishes them together. Updates wait for each other; searches do not wait.
     *
     * @param batch changes
     * @return number of the new version
     * @throws IndexException if the index cannot have one of the prices; nothing has changed then
     */
    public synchronized long update(PriceBatch batch) {
        publish(after(batch));
        return version();
    }

    /**
     * Returns an index at the next version, with all changes of a batch applied in order. This index stays as it is, so that the caller can store
     * the batch before {@link #publish} makes the version visible. Several versions may be derived one from the other before the last is published.
     *
     * @param batch changes
     * @return a new index, which shares with this one all that the batch does not change
     * @throws IndexException if the index cannot have one of the prices
     */
    public PriceIndex after(PriceBatch batch) {
        return after(List.of(batch));
    }

    /**
     * Returns an index like {@link #after(PriceBatch)} applied to each of some batches in turn, at a version that is higher by their number. The versions in
     * between are not built, except where an offering loses its last price, so this method takes much less time than one call for each batch.
     *
     * @param batches batches in their order; without any, the new index is at the version of this one
     * @return a new index, which shares with this one all that the batches do not change
     * @throws IndexException if the index cannot have one of the prices
     */
    public PriceIndex after(List<PriceBatch> batches) {
        Snapshot snapshot = current;
        SnapshotBuilder draft = null;
        for (PriceBatch batch : batches) {
            draft = draft == null ? new SnapshotBuilder(fields, snapshot) : draft;
            batch.forEach(draft::put, draft::remove);
            if (!draft.endBatch()) {
                snapshot = draft.build();
                draft = null;
            }
        }
        return new PriceIndex(key, fields, draft == null ? snapshot : draft.build(), payloads);
    }

    /**
     * Makes the version of an index that was derived from this one by {@link #after} the current version of this index. The caller sees to it that
     * nobody changes this index between the two calls; else that change is lost.
     *
     * @param next index derived from this one
     * @throws IllegalArgumentException if the index was not derived from this one, or is not of a later version
     */
    public synchronized void publish(PriceIndex next) {
        if (next.fields != fields || next.version() <= version()) {
            throw new IllegalArgumentException(
                    "not derived from this index: version=" + next.version() + " expected=later than " + version());
        }
        current = next.current;
    }

    /**
     * Makes the prices of another index, and its version, those of this index, whatever version this one has. Searches that began before see the prices
     * that were there.
     *
     * @param next index that shares the fields of this one, such as a copy or one that {@link SnapshotFormat} has read
     * @throws IllegalArgumentException if the index has other fields
     */
    public synchronized void replace(PriceIndex next) {
        if (next.fields != fields) {
            throw new IllegalArgumentException(
                    "index of other fields: fields=" + next.fields() + " expected=" + fields());
        }
        current = next.current;
    }

    /**
     * Returns statistics of the current version. Takes time in proportion to the number of offerings.
     *
     * @return statistics
     */
    public IndexStats stats() {
        Snapshot snapshot = current;
        return new IndexStats(snapshot.version(), snapshot.prices(), snapshot.offeringCount(), snapshot.strings());
    }

    Price price(Snapshot snapshot, int number, Segment segment, int row) {
        return snapshot.price(number, segment, row, payload(segment, row));
    }

    @Nullable
    String payload(Segment segment, int row) {
        return payloads.payload(segment.prices, row);
    }

    /**
     * Returns all prices of an offering in their order.
     *
     * @param offering key of the offering
     * @return a new list; empty if the offering has no prices
     */
    public List<Price> prices(String offering) {
        Snapshot snapshot = current;
        List<Price> list = new ArrayList<>();
        int number = snapshot.number(offering);
        if (number >= 0) {
            snapshot.segment(number)
                    .forEach(number, (block, row, ordinal) -> list.add(price(snapshot, number, block, row)));
        }
        return list;
    }

    /**
     * Returns the price with an id. The first call for an offering takes time in proportion to its prices, and the first after an update to those that
     * the update moved; all others take one look-up in each block of up to 131,072 prices.
     *
     * @param offering key of the offering, not null
     * @param id id of the price, not null
     * @return a new object, or null if the offering has no such price
     */
    public @Nullable Price price(String offering, String id) {
        Snapshot snapshot = current;
        int number = snapshot.number(offering);
        if (number < 0) {
            return null;
        }
        Segment first = snapshot.segment(number);
        int ordinal = first.ordinal(number, new PriceColumns.Id(id));
        return ordinal < 0 ? null : price(snapshot, number, first.block(ordinal), first.row(number, ordinal));
    }

    /**
     * Returns the number of prices that match a query, without making any; for {@link MatchPolicy#SPECIFIC}, of those of which no other is more specific.
     * All other policies, and the limit, play no role.
     *
     * @param query query for this index, not null
     * @return number of matches, at least 0
     * @throws IllegalArgumentException if the query is for another index
     */
    public long count(PriceQuery query) {
        return count(query, () -> false);
    }

    /**
     * Returns the number of prices that match a query, like {@link #count(PriceQuery)}, and can be stopped.
     *
     * @param query query for this index, not null
     * @param isStopped called as by {@link #search(PriceQuery, BooleanSupplier)}; returns whether to stop
     * @return number of matches, at least 0
     * @throws IllegalArgumentException if the query is for another index
     * @throws CancellationException if {@code isStopped} returned true; the message names the offering and the row
     */
    public long count(PriceQuery query, BooleanSupplier isStopped) {
        return current.find(own(query), MatchPolicy.DEFAULT, isStopped).count;
    }

    /**
     * Passes on the prices that match a query, in the order of {@link MatchPolicy#ALL} and all of one version; for {@link MatchPolicy#SPECIFIC}, those of
     * which no other is more specific. All other policies, and the limit, play no role. No list of prices is made: the method holds the places of the
     * matches among at most 131,072 prices.
     *
     * @param query query for this index, which the receiver must not use
     * @param isStopped called on this thread at least once for every 131,072 prices; returns whether to stop
     * @param receiver receiver of each price, called on this thread; what it throws ends the method
     * @return number of the version
     * @throws IllegalArgumentException if the query is for another index
     * @throws CancellationException if {@code isStopped} returned true; the message names the offering and the row
     */
    public long forEach(PriceQuery query, BooleanSupplier isStopped, Consumer<? super Price> receiver) {
        BoundQuery asked = own(query);
        Snapshot snapshot = current;
        if (asked.bind(snapshot.codes())) {
            snapshot.forEach(
                    asked, isStopped, (number, block, row) -> receiver.accept(price(snapshot, number, block, row)));
        }
        return snapshot.version();
    }

    /**
     * Returns an iterator over the prices that match a query: those of {@link #forEach}, in the same order, at the pace of the caller and all of one
     * version, which stays in memory as long as the iterator does. Between two calls the iterator holds 16 KiB at most.
     *
     * @param query query for this index, which must not change, nor be used otherwise, while the iterator is used
     * @param isStopped called on the thread of each call at least once for every 131,072 prices; returns whether to stop
     * @return a new iterator, not thread-safe, without {@code remove}; its methods throw {@link CancellationException} if {@code isStopped} returned true
     * @throws IllegalArgumentException if the query is for another index
     * @throws CancellationException if {@code isStopped} returned true; the message names the offering and the row
     */
    public Iterator<Price> iterator(PriceQuery query, BooleanSupplier isStopped) {
        BoundQuery asked = own(query);
        Snapshot snapshot = current;
        return asked.bind(snapshot.codes())
                ? snapshot.iterator(asked, isStopped, (number, block, row) -> price(snapshot, number, block, row))
                : Collections.emptyIterator();
    }

    /**
     * Counts the prices that match a query by the values of some fields. Searches like {@link #forEach}, and holds each distinct value of the matches.
     *
     * @param query query for this index
     * @param names names of the fields
     * @param top maximum number of values of each facet, at least 0
     * @param isStopped called on this thread at least once for every 131,072 prices and before each facet; returns whether to stop
     * @return facets in the order of the names, all of one version
     * @throws UnknownFieldException if there is no field with a name
     * @throws InvalidValueException if the matches have more than {@value Facet#MAX_VALUES} distinct values of the fields, those of each field counted
     * @throws IllegalArgumentException if the query is for another index, or {@code top} is negative
     * @throws CancellationException if {@code isStopped} returned true; the message names the offering and the row, or the facet
     */
    public List<Facet> facets(PriceQuery query, List<String> names, int top, BooleanSupplier isStopped) {
        BoundQuery asked = own(query);
        if (top < 0) {
            throw new IllegalArgumentException("top=" + top);
        }
        return FacetCounter.count(
                current, asked, names.stream().map(this::field).toList(), top, isStopped);
    }
}
