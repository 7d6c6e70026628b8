package dev.touchstone.index.price;

import dev.touchstone.index.Field;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import java.math.BigDecimal;
import java.util.ArrayList;
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
    abstract sealed class Found implements SearchResult permits FoundInIndex, FoundPrices {
        /** Creates a result. */
        Found() {}

        /**
         * Returns a result that holds its prices, such as one that came from another process.
         *
         * @param version number of the version that was searched
         * @param matches number of prices that match, at least that of the prices
         * @param prices prices, at least one
         * @return result, for which {@link #hasUuid} is false
         * @throws IllegalArgumentException if there is no price, or there are more prices than matches
         */
        public static Found of(long version, long matches, List<Price> prices) {
            return new FoundPrices(version, matches, List.copyOf(prices));
        }

        /**
         * Returns the number of prices in this result.
         *
         * @return number of prices, at least 1
         */
        public abstract int size();

        /**
         * Returns the number of prices that match. For {@link MatchPolicy#ALL} there may be more than this result holds.
         *
         * @return number of matches; 1 for all other policies
         */
        public abstract long matches();

        /**
         * Returns a price with all its values.
         *
         * @param i index of the price in this result, from 0
         * @return a new object
         */
        public abstract Price price(int i);

        /**
         * Returns the id of a price.
         *
         * @param i index of the price in this result, from 0
         * @return id
         */
        public abstract String id(int i);

        /**
         * Returns whether the id of a price can be read as two halves of a UUID, by {@link #idHigh} and {@link #idLow}.
         *
         * @param i index of the price in this result, from 0
         * @return true if the id is stored as a UUID; false where it stands beside ids that are not all UUIDs in lower case, and {@link #id} must be asked
         */
        public abstract boolean hasUuid(int i);

        /**
         * Returns the most significant half of the UUID that is the id of a price.
         *
         * @param i index of the price in this result, from 0
         * @return half of the UUID; 0 if {@link #hasUuid} is false
         */
        public abstract long idHigh(int i);

        /**
         * Returns the least significant half of the UUID that is the id of a price.
         *
         * @param i index of the price in this result, from 0
         * @return half of the UUID; 0 if {@link #hasUuid} is false
         */
        public abstract long idLow(int i);

        /**
         * Returns the payload of a price.
         *
         * @param i index of the price in this result, from 0
         * @return payload, or null if the price has none
         */
        public abstract @Nullable String payload(int i);

        /**
         * Returns the value of a price.
         *
         * @param i index of the price in this result, from 0
         * @return value
         */
        public abstract BigDecimal value(int i);

        /**
         * Returns the value of a price without its decimal point, whose position {@link #scale} tells.
         *
         * @param i index of the price in this result, from 0
         * @return unscaled value
         */
        public abstract long unscaledValue(int i);

        /**
         * Returns the number of digits behind the decimal point of the value of a price.
         *
         * @param i index of the price in this result, from 0
         * @return number of digits, from 0 to 18
         */
        public abstract int scale(int i);

        /**
         * Returns the currency of a price.
         *
         * @param i index of the price in this result, from 0
         * @return currency, or empty
         */
        public abstract String currency(int i);

        /**
         * Returns the value of a field of a price.
         *
         * @param i index of the price in this result, from 0
         * @param field field of the index
         * @return value of the class that the type of the field names; an unmodifiable {@link Set} of strings in order if the price has several; or null
         *     if it has none
         */
        public abstract @Nullable Object value(int i, Field field);

        /**
         * Returns the key of the offering of a price.
         *
         * @param i index of the price in this result, from 0
         * @return key of the offering
         */
        public abstract String offering(int i);

        /**
         * Returns whether {@link MatchPolicy#DEFAULT} prefers a price.
         *
         * @param i index of the price in this result, from 0
         * @return whether the price is a default one
         */
        public abstract boolean isDefault(int i);

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

        @Override
        public final String toString() {
            return "Found[version=" + version() + ", matches=" + matches() + ", first=" + price(0) + "]";
        }
    }
}
