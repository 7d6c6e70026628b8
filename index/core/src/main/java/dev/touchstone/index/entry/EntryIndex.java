package dev.touchstone.index.entry;

import dev.touchstone.index.CorruptIndexException;
import dev.touchstone.index.Explanation;
import dev.touchstone.index.Field;
import dev.touchstone.index.IndexException;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.PriceBatch;
import dev.touchstone.index.PriceIndex;
import dev.touchstone.index.PriceIndexBuilder;
import dev.touchstone.index.PriceQuery;
import dev.touchstone.index.SearchResult;
import dev.touchstone.index.UnknownFieldException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * An index that finds entries by their fields. Thread-safe.
 *
 * <p>It searches as {@link PriceIndex} does, with the same queries, guarantees, costs and files. A query is one for entries: its offering is the group,
 * and an entry without a group is found by a query without an offering only.
 */
public final class EntryIndex {
    private final PriceIndex index;

    private EntryIndex(PriceIndex index) {
        this.index = index;
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
     * @throws CorruptIndexException if the file is damaged or is not an index file
     * @throws IOException if the file cannot be read
     */
    public static EntryIndex open(Path file) throws IOException {
        return new EntryIndex(PriceIndex.open(file));
    }

    /**
     * Maps an index from a file that {@link #write} made. Ids and payloads stay in the file, which may be replaced, but not changed in place.
     *
     * @param file path of the file
     * @return index at the version of the file
     * @throws CorruptIndexException if the file is damaged or is not an index file
     * @throws IOException if the file cannot be read
     */
    public static EntryIndex map(Path file) throws IOException {
        return new EntryIndex(PriceIndex.map(file));
    }

    /** A builder that collects the fields of an index, and then its entries. Not thread-safe. Arguments must not be null. */
    public static final class Builder {
        private final PriceIndexBuilder fields = PriceIndex.builder().keyField("group");

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
         * @param entries entries of all groups, in any order
         * @return index at version 1
         * @throws InvalidValueException if two entries of a group have the same id, or a value is not of the type of its field
         * @throws UnknownFieldException if an entry has a field that was not declared
         * @throws IllegalArgumentException if two fields have the same name, a field is called {@code group}, or there are more than 63 fields
         */
        public EntryIndex build(Iterable<Entry> entries) {
            return new EntryIndex(fields.build(() -> StreamSupport.stream(entries.spliterator(), false)
                    .map(Entry::price)
                    .iterator()));
        }
    }

    /** Changes of an index that become visible together. Not thread-safe. */
    public static final class Batch {
        private final PriceBatch changes = new PriceBatch();

        /** Creates a batch without changes. */
        public Batch() {}

        /**
         * Adds an entry, or replaces the entry with the same id and group. An entry that differs in anything becomes the last one of its group.
         *
         * @param entry new entry
         * @return this batch
         */
        public Batch put(Entry entry) {
            changes.put(entry.price());
            return this;
        }

        /**
         * Removes an entry, if there is one with the id.
         *
         * @param group key of the group; empty for none
         * @param id id of the entry
         * @return this batch
         * @throws InvalidValueException if group or id cannot be encoded in UTF-8, so that no entry can have them
         */
        public Batch remove(String group, String id) {
            changes.remove(group, id);
            return this;
        }
    }

    /**
     * The entries that match a query, as its policy chooses them. Immutable.
     *
     * @param version number of the version that was searched, from 1
     * @param matches number of matches; 1 if the policy chose one of several
     * @param entries at most {@link PriceQuery#limit} entries; empty if none matches, or more than the policy allows
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
     * @param group key of the group
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
        SearchResult result = index.search(query);
        if (result instanceof SearchResult.Found found) {
            return new Result(
                    found.version(),
                    found.matches(),
                    found.prices().stream().map(Entry::of).toList());
        }
        long matches = result instanceof SearchResult.Ambiguous several ? several.matches() : 0;
        return new Result(result.version(), matches, List.of());
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
    public long update(Batch batch) {
        return index.update(batch.changes);
    }

    /**
     * Writes the current version to a file, which is on the device when this method returns. Until then, and if this method fails, the old file stays as it
     * was.
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
