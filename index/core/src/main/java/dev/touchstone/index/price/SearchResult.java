package dev.touchstone.index.price;

import dev.touchstone.index.Field;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.engine.ResultCollector;
import dev.touchstone.index.engine.Segment;
import dev.touchstone.index.engine.Snapshot;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The result of a search. Immutable and thread-safe. Refers to one version of the index, which stays in memory as long as the result does. */
public sealed interface SearchResult {
    /**
     * Returns the version of the index that was searched.
     *
     * @return number of the version, from 1
     */
    long version();

    /**
     * A result without a match; {@link PriceIndex#explain} tells the reason.
     *
     * @param version number of the version that was searched
     */
    record NotFound(long version) implements SearchResult {}

    /**
     * A result with more matches than the policy of the query allows.
     *
     * @param version number of the version that was searched
     * @param matches number of matches
     */
    record Ambiguous(long version, long matches) implements SearchResult {}

    /** A result with one price, or with several for {@link MatchPolicy#ALL}. The values of a price are read when they are asked for. */
    final class Found implements SearchResult {
        private static final long[] ONE = {}; // in place of the place of a single price

        private final PriceIndex index;
        private final Snapshot snapshot;
        private final int number; // of the offering of the first price
        private final Segment segment; // of the first price
        private final int row; // of the first price
        private final long[] places; // of all prices, if there are several
        private final long matches;

        /** Creates a result of one price. */
        Found(PriceIndex index, Snapshot snapshot, long place) {
            this(index, snapshot, place, ONE, 1);
        }

        /** Creates a result of all matches that were kept, at least one. */
        Found(PriceIndex index, Snapshot snapshot, ResultCollector found) {
            this(
                    index,
                    snapshot,
                    found.places[0],
                    found.kept == 1 ? ONE : Arrays.copyOf(found.places, found.kept),
                    found.count);
        }

        private Found(PriceIndex index, Snapshot snapshot, long place, long[] places, long matches) {
            this.index = index;
            this.snapshot = snapshot;
            this.places = places;
            this.matches = matches;
            number = (int) (place >>> Integer.SIZE);
            Segment first = snapshot.segment(number);
            segment = first.block((int) place);
            row = first.row(number, (int) place);
        }

        @Override
        public long version() {
            return snapshot.version();
        }

        /**
         * Returns the number of prices in this result.
         *
         * @return number of prices, at least 1
         */
        public int size() {
            return Math.max(1, places.length);
        }

        /**
         * Returns the number of prices that match. For {@link MatchPolicy#ALL} there may be more than this result holds.
         *
         * @return number of matches; 1 for all other policies
         */
        public long matches() {
            return matches;
        }

        private int number(int i) {
            return i == 0 ? number : (int) (places[i] >>> Integer.SIZE);
        }

        private Segment first(int i) {
            return snapshot.segment(number(i));
        }

        private Segment segment(int i) {
            return i == 0 ? segment : first(i).block((int) places[i]);
        }

        private int row(int i) {
            return i == 0 ? row : first(i).row(number(i), (int) places[i]);
        }

        /**
         * Returns a price with all its values.
         *
         * @param i index of the price in this result, from 0
         * @return a new object
         */
        public Price price(int i) {
            return index.price(snapshot, number(i), segment(i), row(i));
        }

        /**
         * Returns all prices of this result.
         *
         * @return a new list
         */
        public List<Price> prices() {
            List<Price> list = new ArrayList<>(size());
            for (int i = 0; i < size(); i++) {
                list.add(price(i));
            }
            return list;
        }

        /**
         * Returns the id of a price.
         *
         * @param i index of the price in this result, from 0
         * @return id
         */
        public String id(int i) {
            return segment(i).prices.id(row(i));
        }

        /**
         * Returns whether the id of a price can be read as two halves of a UUID, by {@link #idHigh} and {@link #idLow}.
         *
         * @param i index of the price in this result, from 0
         * @return true if the id is stored as a UUID; false where it stands beside ids that are not all UUIDs in lower case, and {@link #id} must be asked
         */
        public boolean hasUuid(int i) {
            return segment(i).prices.hasUuids();
        }

        /**
         * Returns the most significant half of the UUID that is the id of a price.
         *
         * @param i index of the price in this result, from 0
         * @return half of the UUID; 0 if {@link #hasUuid} is false
         */
        public long idHigh(int i) {
            return segment(i).prices.idHigh(row(i));
        }

        /**
         * Returns the least significant half of the UUID that is the id of a price.
         *
         * @param i index of the price in this result, from 0
         * @return half of the UUID; 0 if {@link #hasUuid} is false
         */
        public long idLow(int i) {
            return segment(i).prices.idLow(row(i));
        }

        /**
         * Returns the payload of a price.
         *
         * @param i index of the price in this result, from 0
         * @return payload, or null if the price has none
         */
        public @Nullable String payload(int i) {
            return index.payload(segment(i), row(i));
        }

        /**
         * Returns the value of a price.
         *
         * @param i index of the price in this result, from 0
         * @return value
         */
        public BigDecimal value(int i) {
            return segment(i).prices.value(row(i));
        }

        /**
         * Returns the value of a price without its decimal point, whose position {@link #scale} tells.
         *
         * @param i index of the price in this result, from 0
         * @return unscaled value
         */
        public long unscaledValue(int i) {
            return segment(i).prices.unscaled(row(i));
        }

        /**
         * Returns the number of digits behind the decimal point of the value of a price.
         *
         * @param i index of the price in this result, from 0
         * @return number of digits, from 0 to 18
         */
        public int scale(int i) {
            return segment(i).prices.scale(row(i));
        }

        /**
         * Returns the currency of a price.
         *
         * @param i index of the price in this result, from 0
         * @return currency, or empty
         */
        public String currency(int i) {
            return snapshot.currencies().value(segment(i).prices.currency(row(i)));
        }

        /**
         * Returns the value of a string field of a price; several values in order, with commas between them.
         *
         * @param i index of the price in this result, from 0
         * @param field string field of the index
         * @return value, or an empty text if the price has none
         * @throws IllegalArgumentException if the field is not of strings
         */
        public String text(int i, Field field) {
            if (field.type().isOrdered()) {
                throw new IllegalArgumentException("not a string: field=" + field.name());
            }
            Object value = value(i, field);
            return value instanceof Set<?> several
                    ? several.stream().map(String::valueOf).collect(Collectors.joining(","))
                    : Objects.toString(value, "");
        }

        /**
         * Returns the value of a field of a price.
         *
         * @param i index of the price in this result, from 0
         * @param field field of the index
         * @return value of the class that the type of the field names; an unmodifiable {@link Set} of strings in order if the price has several; or null
         *     if it has none
         */
        public @Nullable Object value(int i, Field field) {
            return snapshot.value(segment(i), row(i), field);
        }

        /**
         * Returns the key of the offering of a price.
         *
         * @param i index of the price in this result, from 0
         * @return key of the offering
         */
        public String offering(int i) {
            return snapshot.offering(number(i));
        }

        /**
         * Returns whether {@link MatchPolicy#DEFAULT} prefers a price.
         *
         * @param i index of the price in this result, from 0
         * @return whether the price is a default one
         */
        public boolean isDefault(int i) {
            return segment(i).isDefault(row(i));
        }

        @Override
        public String toString() {
            return "Found[version=" + version() + ", matches=" + matches + ", first=" + price(0) + "]";
        }
    }
}
