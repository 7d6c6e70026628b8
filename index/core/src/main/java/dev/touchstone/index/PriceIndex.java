package dev.touchstone.index;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the price that applies: prices by offering, each under conditions on typed fields. Thread-safe.
 *
 * <p>Searches take no lock. Each sees one version of the whole index, and its answer names it; {@link #update} publishes the next version, in which only
 * the offerings that it touched are new. A search that begins after an update has returned sees that version or a later one, and what
 * happened before the update happened before the search.
 *
 * <p>A search in one offering takes time in proportion to the words of a bitmap over its prices, times the number of conditions; a search that
 * names one value for each field takes one look-up.
 */
public final class PriceIndex {
    private static final long CACHE_BYTES = 4 << 20;

    private final String key;
    private final Fields fields;
    private final EngineType type;
    private final PayloadCache payloads;
    private volatile Current current;

    /** What searches see: both of one version. */
    private record Current(Snapshot snapshot, Engine engine) {}

    PriceIndex(String key, Fields fields, EngineType type, Snapshot snapshot, PayloadCache payloads) {
        this.key = key;
        this.fields = fields;
        this.type = type;
        this.payloads = payloads;
        current = new Current(snapshot, engine(snapshot));
    }

    private Engine engine(Snapshot snapshot) {
        return switch (type) {
            case MAP -> new MapEngine(snapshot, false);
            case MAP_OPTIMIZED -> new MapEngine(snapshot, true);
            case ROARING -> new RoaringEngine(snapshot);
            case OURS -> new OurEngine(snapshot);
        };
    }

    /** Begins a new index. */
    public static PriceIndexBuilder builder() {
        return new PriceIndexBuilder();
    }

    /**
     * Reads an index from a file that {@link #write} made, into memory. What killed writers have left beside the file is deleted.
     *
     * @throws CorruptIndexException if the file is damaged, or none
     */
    public static PriceIndex open(Path file) throws IOException {
        NextFile.deleteLeftOver(file);
        return of(IndexFile.read(file, false), 0);
    }

    /**
     * As {@link #open}, but ids, values, currencies and payloads stay in the file, which is mapped and must not be changed in place; it may be
     * replaced. It is checked, and with that read once, when it is opened. Payloads that were asked for are kept in {@value #CACHE_BYTES} bytes of
     * heap.
     */
    public static PriceIndex map(Path file) throws IOException {
        return map(file, CACHE_BYTES);
    }

    /**
     * As {@link #map(Path)}, with another size of the cache of payloads.
     *
     * @param cacheBytes the most that payloads which were asked for take in the heap, about; 0 to read them from the file each time
     */
    public static PriceIndex map(Path file, long cacheBytes) throws IOException {
        if (cacheBytes < 0) {
            throw new IllegalArgumentException("cacheBytes=" + cacheBytes);
        }
        NextFile.deleteLeftOver(file);
        return of(IndexFile.read(file, true), cacheBytes);
    }

    private static PriceIndex of(IndexFile.Contents contents, long cacheBytes) {
        return new PriceIndex(
                contents.key(), contents.fields(), EngineType.OURS, contents.snapshot(), new PayloadCache(cacheBytes));
    }

    /**
     * Checks all of a file.
     *
     * @throws CorruptIndexException naming the section that is damaged
     */
    public static void validate(Path file) throws IOException {
        IndexFile.read(file, true);
    }

    /**
     * Writes the current version to a file. It is on the device when this returns; until then, and if this fails, the file is what it was.
     */
    public void write(Path file) throws IOException {
        IndexFile.write(file, key, fields, current.snapshot);
    }

    /** An index of the same prices, at the same version, that searches in another way; updates of one are not seen by the other. */
    public PriceIndex with(EngineType engine) {
        return new PriceIndex(key, fields, engine, current.snapshot, payloads);
    }

    /** The name of the key. */
    public String keyField() {
        return key;
    }

    public EngineType engine() {
        return type;
    }

    /** All fields, by ordinal. */
    public List<Field> fields() {
        return fields.list;
    }

    /**
     * A field by name.
     *
     * @throws UnknownFieldException if there is none
     */
    public Field field(String name) {
        return fields.named(name);
    }

    /** The dictionaries of the current version. */
    Codes codes() {
        return current.snapshot.codes();
    }

    /** A query without offering and conditions. */
    public PriceQuery query() {
        return new PriceQuery(fields, this);
    }

    /**
     * Searches.
     *
     * @throws IllegalArgumentException if the query is for another index
     */
    public SearchResult search(PriceQuery query) {
        return search(query, current);
    }

    private SearchResult search(PriceQuery query, Current at) {
        requireOwn(query);
        Snapshot snapshot = at.snapshot;
        Matches matches = query.matches;
        matches.reset(query.policy(), query.limit());
        if (query.bind(snapshot.codes())) {
            at.engine.search(query, matches);
        }
        if (matches.count == 0) {
            return new SearchResult.NotFound(snapshot.version());
        }
        return switch (query.policy()) {
            case FIRST -> new SearchResult.Found(this, snapshot, matches.places[0]);
            case ALL ->
                new SearchResult.Found(
                        this, snapshot, matches.places[0], Arrays.copyOf(matches.places, matches.kept), matches.count);
            case ERROR -> only(snapshot, matches, Matches.NONE);
            case DEFAULT -> only(snapshot, matches, matches.firstDefault);
        };
    }

    private void requireOwn(PriceQuery query) {
        if (query.fields != fields) {
            throw new IllegalArgumentException("query of another index: " + query);
        }
    }

    private SearchResult only(Snapshot snapshot, Matches matches, long preferred) {
        if (matches.count == 1) {
            return new SearchResult.Found(this, snapshot, matches.places[0]);
        }
        return preferred != Matches.NONE
                ? new SearchResult.Found(this, snapshot, preferred)
                : new SearchResult.Ambiguous(snapshot.version(), matches.count);
    }

    /** Searches for several at once, all in one version; the answers are in the order of the queries. */
    public List<SearchResult> searchAll(List<PriceQuery> queries) {
        Current at = current;
        List<SearchResult> results = new ArrayList<>(queries.size());
        for (PriceQuery query : queries) {
            results.add(search(query, at));
        }
        return results;
    }

    /**
     * As {@link #searchAll(List)}, in parts that an executor runs at the same time. When this returns or throws, all parts are over.
     *
     * @param queries each of them once
     * @param parts how many, at least 1
     */
    public List<SearchResult> searchAll(List<PriceQuery> queries, Executor executor, int parts) {
        if (parts < 1) {
            throw new IllegalArgumentException("parts=" + parts);
        }
        Current at = current;
        List<CompletableFuture<List<SearchResult>>> running = new ArrayList<>(parts);
        for (int part = 0; part < parts; part++) {
            List<PriceQuery> some = queries.subList(
                    (int) ((long) queries.size() * part / parts), (int) ((long) queries.size() * (part + 1) / parts));
            try {
                running.add(CompletableFuture.supplyAsync(
                        () -> some.stream().map(query -> search(query, at)).toList(), executor));
            } catch (RejectedExecutionException e) {
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
            throw e;
        }
    }

    /**
     * How a query is searched, and which condition leaves nothing. Looks at each price of the offering: for people, not for programs.
     *
     * @throws IllegalArgumentException if the query is for another index
     */
    public Explanation explain(PriceQuery query) {
        requireOwn(query);
        Current at = current;
        return Explainer.explain(at.snapshot, at.engine, type, query);
    }

    /**
     * Applies all changes of a batch, in order, and publishes them together. Updates wait for each other; searches go on meanwhile.
     *
     * @return the new version
     * @throws IndexException if a price isn't one that this index can have; then nothing has changed
     */
    public synchronized long update(PriceBatch batch) {
        SnapshotDraft draft = new SnapshotDraft(fields, current.snapshot);
        draft.apply(batch);
        Snapshot next = draft.build();
        current = new Current(next, engine(next));
        return next.version();
    }

    public IndexStats stats() {
        Snapshot snapshot = current.snapshot;
        int offerings = 0;
        for (Segment segment : snapshot.segments()) {
            offerings += segment.count > 0 ? 1 : 0;
        }
        int values = 0;
        for (var dictionary : snapshot.dictionaries()) {
            values += dictionary.size();
        }
        return new IndexStats(snapshot.version(), snapshot.prices(), offerings, values);
    }

    Price price(Snapshot snapshot, Segment segment, int row) {
        return snapshot.price(segment, row, payload(segment, row));
    }

    @Nullable
    String payload(Segment segment, int row) {
        return payloads.payload(segment.prices, row);
    }

    /** All prices of an offering, in their order; empty if it has none. */
    public List<Price> prices(String offering) {
        Snapshot snapshot = current.snapshot;
        int code = snapshot.offerings().code(offering);
        List<Price> list = new ArrayList<>();
        @Nullable Segment segment = code == 0 ? null : snapshot.segments()[code - 1];
        for (int row = 0; segment != null && row < segment.count; row++) {
            list.add(price(snapshot, segment, row));
        }
        return list;
    }
}
