package dev.touchstone.index.entry;

import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.Explanation;
import dev.touchstone.index.Facet;
import dev.touchstone.index.Field;
import dev.touchstone.index.IndexException;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.UnknownFieldException;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceIndexBuilder;
import dev.touchstone.index.price.PricePage;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * An index that finds entries by their fields. Thread-safe.
 *
 * <p>It searches as {@link PriceIndex} does, with the same queries and guarantees. A query is one for entries: its offering is the group, and an entry
 * without a group is found by a query without an offering, or of the empty one, which finds no other entries.
 *
 * <p>Entries have an order, as the rules of a list have: the one in which they were built and added, whatever their groups. A changed entry keeps its place,
 * and a removed one that comes back is the last. {@link MatchPolicy#FIRST} and all other policies that speak of a first match mean this order. So a search by
 * FIRST or ALL looks at all matches, and takes time in proportion to their number.
 */
public final class EntryIndex {
    private static final long NONE = -1; // place of no entry

    private final PriceIndex index; // the value of each price is the place of its entry
    private long end; // place of the next new entry; guarded by this

    private EntryIndex(PriceIndex index) {
        this.index = index;
        PriceQuery all = index.query().limit(1);
        for (Price last : PricePage.of(index, all, byPlace().descending(), null, () -> false)
                .prices()) {
            end = last.value().longValue() + 1;
        }
    }

    /**
     * Returns a builder of a new index.
     *
     * @return a new builder without fields
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Reads an index into memory from a file that {@link #write} made.
     *
     * @param file path of the file
     * @return index at the version of the file
     * @throws CorruptIndexException if the file is damaged, is not an index file, or holds prices
     * @throws IOException if the file cannot be read
     */
    public static EntryIndex open(Path file) throws IOException {
        return new EntryIndex(PriceIndex.ofEntries(file, false));
    }

    /**
     * Maps an index from a file that {@link #write} made. Ids and payloads stay in the file, which may be replaced, but not changed in place.
     *
     * @param file path of the file
     * @return index at the version of the file
     * @throws CorruptIndexException if the file is damaged, is not an index file, or holds prices
     * @throws IOException if the file cannot be read
     */
    public static EntryIndex map(Path file) throws IOException {
        return new EntryIndex(PriceIndex.ofEntries(file, true));
    }

    /** A builder that collects the fields of an index, and then its entries. Not thread-safe. Arguments must not be null. */
    public static final class Builder {
        private final PriceIndexBuilder fields = PriceIndex.builder().ofEntries();

        private Builder() {}

        /**
         * Declares fields of strings.
         *
         * @param names names of the fields
         * @return this builder
         * @throws IllegalArgumentException if a name is empty
         */
        public Builder string(String... names) {
            fields.string(names);
            return this;
        }

        /**
         * Declares fields of integers.
         *
         * @param names names of the fields
         * @return this builder
         * @throws IllegalArgumentException if a name is empty
         */
        public Builder integer(String... names) {
            fields.integer(names);
            return this;
        }

        /**
         * Declares a field of decimal numbers.
         *
         * @param name name of the field
         * @param scale maximum number of digits behind the decimal point, from 0 to 18
         * @return this builder
         * @throws IllegalArgumentException if the name is empty or the scale is outside its range
         */
        public Builder decimal(String name, int scale) {
            fields.decimal(name, scale);
            return this;
        }

        /**
         * Declares fields of points in time.
         *
         * @param names names of the fields
         * @return this builder
         * @throws IllegalArgumentException if a name is empty
         */
        public Builder dateTime(String... names) {
            fields.dateTime(names);
            return this;
        }

        /**
         * Builds an index of some entries. Each entry is read once, and the objects are not kept.
         *
         * @param entries entries of all groups, in the order that the index keeps
         * @return index at version 1
         * @throws InvalidValueException if two entries of a group have the same id, or a value is not of the type of its field
         * @throws UnknownFieldException if an entry has a field that was not declared
         * @throws IllegalArgumentException if two fields have the same name, or there are more than 63 fields
         */
        public EntryIndex build(Iterable<Entry> entries) {
            PrimitiveIterator.OfLong places =
                    LongStream.iterate(0, place -> place + 1).iterator();
            return new EntryIndex(fields.build(() -> StreamSupport.stream(entries.spliterator(), false)
                    .map(entry -> entry.price(places.nextLong()))
                    .iterator()));
        }
    }

    /** The name of an entry in an index. */
    private record Key(String group, String id) {}

    /** A change of one entry; without a new entry, its removal. */
    private record Change(Key key, @Nullable Entry entry) {}

    /** Changes of an index that become visible together. Not thread-safe. */
    public static final class Batch {
        private final List<Change> changes = new ArrayList<>();

        /** Creates a batch without changes. */
        public Batch() {}

        /**
         * Adds an entry behind all others, or replaces the entry with the same id and group, whose place it keeps.
         *
         * @param entry new entry
         * @return this batch
         */
        public Batch put(Entry entry) {
            changes.add(new Change(new Key(entry.group(), entry.id()), entry));
            return this;
        }

        /**
         * Removes an entry, if there is one with the id. If the batch, or a later one, adds an entry with the id, it stands behind all others.
         *
         * @param group key of the group; empty for none
         * @param id id of the entry
         * @return this batch
         * @throws InvalidValueException if group or id cannot be encoded in UTF-8, so that no entry can have them
         */
        public Batch remove(String group, String id) {
            new PriceBatch().remove(group, id); // checks both
            changes.add(new Change(new Key(group, id), null));
            return this;
        }
    }

    /**
     * The entries that match a query, as its policy chooses them. Immutable.
     *
     * @param version number of the version that was searched, from 1
     * @param matches number of matches; 1 if the policy chose one of several
     * @param entries at most {@link PriceQuery#limit} entries, in their order; empty if none matches, or more than the policy allows
     */
    public record Result(long version, long matches, List<Entry> entries) {
        /** Creates a result with a copy of the list. */
        public Result {
            entries = List.copyOf(entries);
        }

        /**
         * Returns the first entry.
         *
         * @return entry, or null if there is none
         */
        public @Nullable Entry first() {
            return entries.isEmpty() ? null : entries.get(0);
        }

        /**
         * Returns whether more entries match than the policy of the query allows.
         *
         * @return whether entries match and none was chosen
         */
        public boolean isAmbiguous() {
            return matches > 0 && entries.isEmpty();
        }
    }

    /**
     * Returns a query without a group and conditions.
     *
     * @return a new query for this index, for one thread
     */
    public PriceQuery query() {
        return index.query();
    }

    /**
     * Returns a query of one group without conditions.
     *
     * @param group key of the group; empty for the entries without one
     * @return a new query for this index, for one thread
     */
    public PriceQuery query(String group) {
        return index.query().offering(group);
    }

    /**
     * Searches the entries that match a query.
     *
     * @param query query for this index
     * @return result by the policy of the query
     * @throws IllegalArgumentException if the query is for another index
     */
    public Result search(PriceQuery query) {
        PriceIndex at = index.copy(); // one version for all that follows
        return switch (query.policy()) {
            case ALL -> new Result(at.version(), at.count(query), ordered(at, query));
            case FIRST -> {
                int limit = query.limit();
                try {
                    List<Entry> first = ordered(at, query.limit(1));
                    yield new Result(at.version(), first.size(), first);
                } finally {
                    query.limit(limit);
                }
            }
            case ERROR, DEFAULT, SPECIFIC -> chosen(at, query);
        };
    }

    /** Returns the first entries that match a query, up to its limit. */
    private static List<Entry> ordered(PriceIndex at, PriceQuery query) {
        return entries(PricePage.of(at, query, byPlace(), null, () -> false).prices());
    }

    /** Returns the result of a policy that chooses one entry. If it prefers one of several, the first of those that are preferred. */
    private static Result chosen(PriceIndex at, PriceQuery query) {
        SearchResult result = at.search(query);
        if (!(result instanceof SearchResult.Found found)) {
            long matches = result instanceof SearchResult.Ambiguous several ? several.matches() : 0;
            return new Result(result.version(), matches, List.of());
        }
        List<Price> best = new ArrayList<>(found.prices());
        if (best.get(0).isDefault()) {
            at.forEach(query, () -> false, price -> {
                if (price.isDefault() && price.value().compareTo(best.get(0).value()) < 0) {
                    best.set(0, price);
                }
            });
        }
        return new Result(found.version(), 1, entries(best));
    }

    private static List<Entry> entries(List<Price> prices) {
        return prices.stream().map(Entry::of).toList();
    }

    /**
     * A page of the entries that match a query, in a stated order. Immutable.
     *
     * @param version number of the version that was searched, from 1
     * @param isChanged whether the page before is of another version; false for the first page
     * @param entries entries of the page, at most as many as {@link PriceQuery#limit} says
     * @param next cursor of the next page, or null if this page is the last one
     */
    public record Page(
            long version,
            boolean isChanged,
            List<Entry> entries,
            @Nullable String next) {
        /** Creates a page with a copy of the list. */
        public Page {
            entries = List.copyOf(entries);
        }
    }

    /**
     * Returns the order of the entries in the index, for {@link #page}. {@link PricePage.Order} has others, by id and by the value of a field.
     *
     * @return order
     */
    public static PricePage.Order byPlace() {
        return PricePage.Order.byValue();
    }

    /**
     * Returns a page of the entries that match a query, with the guarantees and costs of {@link PricePage#of}.
     *
     * @param query query for this index, whose limit is the length of a page
     * @param order order of the entries
     * @param cursor cursor that the page before has, for the same order and a query that differs in its limit at most; null for the first page
     * @return page of the current version
     * @throws InvalidValueException if the cursor is not one, or is one of another order or query
     * @throws IllegalArgumentException if the query is for another index
     */
    public Page page(PriceQuery query, PricePage.Order order, @Nullable String cursor) {
        PricePage page = PricePage.of(index, query, order, cursor, () -> false);
        return new Page(page.version(), page.isChanged(), entries(page.prices()), page.next());
    }

    /**
     * Returns the number of entries that match a query, as {@link PriceIndex#count} does.
     *
     * @param query query for this index
     * @return number of matches, at least 0
     * @throws IllegalArgumentException if the query is for another index
     */
    public long count(PriceQuery query) {
        return index.count(query);
    }

    /**
     * Counts the entries that match a query by the values of some fields, as {@link PriceIndex#facets} does.
     *
     * @param query query for this index
     * @param names names of the fields
     * @param top maximum number of values of each facet, at least 0
     * @return facets in the order of the names, whose prices are entries, all of one version
     * @throws UnknownFieldException if there is no field with a name
     * @throws InvalidValueException if the matches have more than {@value Facet#MAX_VALUES} distinct values of the fields, those of each field counted
     * @throws IllegalArgumentException if the query is for another index, or {@code top} is negative
     */
    public List<Facet> facets(PriceQuery query, List<String> names, int top) {
        return index.facets(query, names, top, () -> false);
    }

    /**
     * Passes on the entries that match a query, as {@link PriceIndex#forEach} does, in an order that updates change.
     *
     * @param query query for this index, which the receiver must not use
     * @param receiver receiver of each entry, called on this thread; what it throws ends the method
     * @return number of the version
     * @throws IllegalArgumentException if the query is for another index
     */
    public long forEach(PriceQuery query, Consumer<? super Entry> receiver) {
        return index.forEach(query, () -> false, price -> receiver.accept(Entry.of(price)));
    }

    /**
     * Explains how a query is searched, and which condition leaves no entry. Tests each entry of the group.
     *
     * @param query query for this index
     * @return explanation, in which prices are entries and the offering is the group
     * @throws IllegalArgumentException if the query is for another index
     */
    public Explanation explain(PriceQuery query) {
        return index.explain(query);
    }

    /**
     * Returns the entry with an id.
     *
     * @param group key of the group; empty for none
     * @param id id of the entry
     * @return a new object, or null if the group has no such entry
     */
    public @Nullable Entry get(String group, String id) {
        var price = index.price(group, id);
        return price == null ? null : Entry.of(price);
    }

    /**
     * Applies all changes of a batch in order, and publishes them together. Updates wait for each other; searches do not wait.
     *
     * @param batch changes
     * @return number of the new version
     * @throws IndexException if the index cannot have one of the entries; nothing has changed then
     */
    public synchronized long update(Batch batch) {
        Map<Key, Long> places = new HashMap<>(); // of the entries that the batch has named so far
        PriceBatch prices = new PriceBatch();
        long next = end;
        for (Change change : batch.changes) {
            Key key = change.key();
            Entry entry = change.entry();
            if (entry == null) {
                places.put(key, NONE);
                prices.remove(key.group(), key.id());
                continue;
            }
            long place = places.computeIfAbsent(key, this::place);
            if (place == NONE) {
                place = next++;
                places.put(key, place);
            }
            prices.put(entry.price(place));
        }
        long version = index.update(prices);
        end = next;
        return version;
    }

    private long place(Key key) {
        Price price = index.price(key.group(), key.id());
        return price == null ? NONE : price.value().longValue();
    }

    /**
     * Writes the current version to a file, with the guarantees of {@link PriceIndex#write}.
     *
     * @param file path of the file
     * @throws IOException if the file cannot be written
     */
    public void write(Path file) throws IOException {
        index.write(file);
    }

    /**
     * Returns the field with a name.
     *
     * @param name name of the field
     * @return field
     * @throws UnknownFieldException if there is no such field
     */
    public Field field(String name) {
        return index.field(name);
    }

    /**
     * Returns the number of the current version, from 1, which grows by 1 with each update.
     *
     * @return number of the version
     */
    public long version() {
        return index.version();
    }

    /**
     * Returns the number of entries. Takes time in proportion to the number of groups.
     *
     * @return number of entries of the current version
     */
    public long size() {
        return index.stats().prices();
    }
}
