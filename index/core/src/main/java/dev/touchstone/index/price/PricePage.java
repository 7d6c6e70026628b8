package dev.touchstone.index.price;

import dev.touchstone.index.Field;
import dev.touchstone.index.InvalidValueException;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.engine.BoundQuery;
import dev.touchstone.index.engine.Segment;
import dev.touchstone.index.engine.Snapshot;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.RandomAccess;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A page of the prices that match a query, in a stated order. Immutable and thread-safe.
 *
 * <p>A page begins behind the last price of the one before, whose place in the order its cursor tells. So prices that no update between the pages has
 * touched are on one page each, and no price is skipped or repeated because others came or went; {@link #isChanged} tells that there was an update.
 */
public final class PricePage {
    // characters of a number in a cursor: values have at most 18 digits, fields 19
    private static final int MAX_NUMBER = 40;

    private final long version;
    private final boolean isChanged;
    private final List<Price> prices;
    private final @Nullable String next;

    private PricePage(long version, boolean isChanged, List<Price> prices, @Nullable String next) {
        this.version = version;
        this.isChanged = isChanged;
        this.prices = prices;
        this.next = next;
    }

    /**
     * Returns the number of the version that was searched.
     *
     * @return number of the version, from 1
     */
    public long version() {
        return version;
    }

    /**
     * Returns whether the page before is of another version.
     *
     * @return false for the first page
     */
    public boolean isChanged() {
        return isChanged;
    }

    /**
     * Returns the prices of the page in the order. The list keeps the version in memory, and makes a price each time that the price is asked for, so that a
     * page of large payloads needs little memory.
     *
     * @return unmodifiable list of at most as many prices as {@link PriceQuery#limit} said
     */
    public List<Price> prices() {
        return prices;
    }

    /**
     * Returns the cursor of the next page.
     *
     * @return cursor, or null if this page is the last one
     */
    public @Nullable String next() {
        return next;
    }

    /**
     * An order of prices. Prices that are equal by it stand in ascending order of their offerings, and then of their ids, both by {@link String#compareTo}.
     * Immutable and thread-safe.
     */
    public static final class Order {
        private static final int VALUE = -1;
        private static final int ID = -2;

        private final int by; // ordinal of a field, VALUE or ID
        private final @Nullable Field field; // null for VALUE and ID
        private final boolean isDescending;

        private Order(int by, @Nullable Field field, boolean isDescending) {
            this.by = by;
            this.field = field;
            this.isDescending = isDescending;
        }

        /**
         * Returns the ascending order by value, whatever the currencies.
         *
         * @return order
         */
        public static Order byValue() {
            return new Order(VALUE, null, false);
        }

        /**
         * Returns the ascending order by id.
         *
         * @return order
         */
        public static Order byId() {
            return new Order(ID, null, false);
        }

        /**
         * Returns the ascending order by the value of a field. Prices without one are the last.
         *
         * @param field field, not of strings
         * @return order
         * @throws InvalidValueException if the field is of strings
         */
        public static Order by(Field field) {
            if (!field.type().isOrdered()) {
                throw new InvalidValueException("a string has no order: field=" + field.name());
            }
            return new Order(field.ordinal(), field, false);
        }

        /**
         * Returns this order with the greatest value or id first. Prices without a value of the field stay the last, and equal ones in their order.
         *
         * @return order
         */
        public Order descending() {
            return new Order(by, field, true);
        }

        private Comparator<Key> comparator() {
            Comparator<Key> ids = Comparator.comparing(Key::id);
            if (by == ID) {
                return (isDescending ? ids.reversed() : ids).thenComparing(Key::offering);
            }
            Comparator<BigDecimal> numbers =
                    isDescending ? Comparator.<BigDecimal>reverseOrder() : Comparator.<BigDecimal>naturalOrder();
            return Comparator.comparing(Key::number, Comparator.nullsLast(numbers))
                    .thenComparing(Key::offering)
                    .thenComparing(ids);
        }

        private @Nullable BigDecimal number(Segment block, int row) {
            if (by == VALUE) {
                return block.prices.value(row);
            }
            int code = by == ID ? 0 : block.code(row, by);
            return code == 0 ? null : BigDecimal.valueOf(block.distinct[by][code - 1]);
        }

        /** Returns whether a price with one number stands behind a price with the other, whatever their offerings and ids. */
        private boolean isBehind(@Nullable BigDecimal number, @Nullable BigDecimal other) {
            if (number == null || other == null) {
                return other != null;
            }
            return isDescending ? number.compareTo(other) < 0 : number.compareTo(other) > 0;
        }

        @Override
        public String toString() {
            return by + (isDescending ? " desc" : " asc");
        }
    }

    /** The place of a price in an order. The number is null for a price without a value of the field, and in the order by id. */
    private record Key(@Nullable BigDecimal number, String offering, String id) {
        /** Returns the text that stands for the next page of an order and a query, which {@link #parts} splits. */
        String cursor(String version, String order, String query) {
            String text = version + "\n" + order + "\n" + query + "\n" + (number == null ? "" : number) + "\n"
                    + offering.length() + "\n" + offering + id;
            return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        }

        static Key of(String[] parts) {
            int offering = Integer.parseInt(parts[4]);
            return new Key(
                    parts[3].isEmpty() ? null : new BigDecimal(parts[3]),
                    parts[5].substring(0, offering),
                    parts[5].substring(offering));
        }
    }

    /** A match that may come to the page. */
    private record Candidate(Key key, int number, Segment block, int row) {}

    /** The prices of a page. Immutable. */
    private static final class Prices extends AbstractList<Price> implements RandomAccess {
        private final PriceIndex index;
        private final Snapshot snapshot;
        private final Candidate[] page;

        Prices(PriceIndex index, Snapshot snapshot, Candidate[] page) {
            this.index = index;
            this.snapshot = snapshot;
            this.page = page;
        }

        @Override
        public Price get(int i) {
            Candidate one = page[i];
            return index.price(snapshot, one.number(), one.block(), one.row());
        }

        @Override
        public int size() {
            return page.length;
        }
    }

    /**
     * Returns a page of the prices that match a query; for {@link MatchPolicy#SPECIFIC}, of those of which no other is more specific. All other policies
     * play no role. Takes time in proportion to the matches, times the logarithm of the limit, and memory in proportion to the limit.
     *
     * @param index index to search
     * @param query query for this index, whose limit is the length of a page
     * @param order order of the prices
     * @param cursor cursor that the page before has, for the same order and a query that differs in its limit at most; null for the first page
     * @param isStopped called on this thread at least once for every 131,072 prices; returns whether to stop
     * @return page of the current version
     * @throws InvalidValueException if the cursor is not one, or is one of another order or query
     * @throws IllegalArgumentException if the query is for another index, or the order by a field of another one
     * @throws CancellationException if {@code isStopped} returned true; the message names the offering and the row
     */
    public static PricePage of(
            PriceIndex index, PriceQuery query, Order order, @Nullable String cursor, BooleanSupplier isStopped) {
        BoundQuery bound = index.own(query);
        if (order.field != null) {
            bound.fields().requireOwn(order.field);
        }
        String asked = Integer.toHexString(bound.fingerprint());
        String[] parts = cursor == null ? null : parts(cursor, order, asked);
        Key after = parts == null ? null : Key.of(parts);
        Snapshot snapshot = index.snapshot();
        Comparator<Key> byKey = order.comparator();
        Comparator<Candidate> byPlace = Comparator.comparing(Candidate::key, byKey);
        PriorityQueue<Candidate> best = new PriorityQueue<>(byPlace.reversed());
        int limit = query.limit();
        boolean[] hasMore = new boolean[1];
        if (bound.bind(snapshot.codes())) {
            snapshot.forEach(bound, isStopped, (number, block, row) -> {
                BigDecimal by = order.number(block, row);
                boolean isFull = best.size() == limit;
                if (isFull && order.isBehind(by, best.element().key().number())) {
                    hasMore[0] = true;
                    return;
                }
                Key key = new Key(by, snapshot.offering(number), block.prices.id(row));
                if (after != null && byKey.compare(key, after) <= 0) {
                    return;
                }
                hasMore[0] |= isFull;
                if (!isFull || byKey.compare(key, best.element().key()) < 0) {
                    if (isFull) {
                        best.remove();
                    }
                    best.add(new Candidate(key, number, block, row));
                }
            });
        }
        Candidate[] page = best.toArray(Candidate[]::new);
        Arrays.sort(page, byPlace);
        String version = String.valueOf(snapshot.version());
        return new PricePage(
                snapshot.version(),
                parts != null && !parts[0].equals(version),
                new Prices(index, snapshot, page),
                hasMore[0] ? page[page.length - 1].key().cursor(version, order.toString(), asked) : null);
    }

    /** Returns the parts of a cursor of an order and a query, which can be parsed. */
    private static String[] parts(String cursor, Order order, String query) {
        String[] parts;
        try {
            parts = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8).split("\n", 6);
            boolean isOne = parts.length == 6
                    && parts[3].length() <= MAX_NUMBER
                    && Long.parseLong(parts[0]) > 0
                    && Key.of(parts).cursor(parts[0], parts[1], parts[2]).equals(cursor);
            if (!isOne) {
                throw new IllegalArgumentException("parts=" + parts.length);
            }
        } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
            throw new InvalidValueException("not a cursor of a page: cursor=" + InvalidValueException.shown(cursor), e);
        }
        if (!parts[1].equals(order.toString())) {
            throw new InvalidValueException("cursor of another order: cursor=" + InvalidValueException.shown(cursor));
        }
        if (!parts[2].equals(query)) {
            throw new InvalidValueException("cursor of another query: cursor=" + InvalidValueException.shown(cursor));
        }
        return parts;
    }
}
