package dev.touchstone.index;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A page of the prices that match a query, in a stated order. Immutable and thread-safe.
 *
 * <p>A page begins behind the last price of the one before, whose place in the order its cursor tells. So prices that no update between the pages has
 * touched are on one page each, and no price is skipped or repeated because others came or went; {@code isChanged} tells that there was an update.
 *
 * @param version number of the version that was searched, from 1
 * @param isChanged whether the page before is of another version; false for the first page
 * @param prices prices of the page in the order, at most as many as {@link PriceQuery#limit} says
 * @param next cursor of the next page, or null if this page is the last one
 */
public record PricePage(
        long version,
        boolean isChanged,
        List<Price> prices,
        @Nullable String next) {
    /** Creates a page with a copy of the list. */
    public PricePage {
        prices = List.copyOf(prices);
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
        /** Returns the text that stands for the next page, which {@link #of} reads. */
        String cursor(long version, Order order) {
            String text = version + "\n" + order + "\n" + (number == null ? "" : number) + "\n" + offering.length()
                    + "\n" + offering + id;
            return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        }

        static Key of(String[] parts) {
            int offering = Integer.parseInt(parts[3]);
            return new Key(
                    parts[2].isEmpty() ? null : new BigDecimal(parts[2]),
                    parts[4].substring(0, offering),
                    parts[4].substring(offering));
        }
    }

    /** A match that may come to the page. */
    private record Candidate(Key key, int number, Segment block, int row) {}

    /**
     * Returns a page of the prices that match a query; for {@link MatchPolicy#SPECIFIC}, of those of which no other is more specific. All other policies
     * play no role. Takes time in proportion to the matches, times the logarithm of the limit, and memory in proportion to the limit.
     *
     * @param index index to search
     * @param query query for this index, whose limit is the length of a page
     * @param order order of the prices
     * @param cursor cursor that the page before has, for an equal query and order; null for the first page
     * @param isStopped called on this thread at least once for every 131,072 prices; returns whether to stop
     * @return page of the current version
     * @throws InvalidValueException if the cursor is not one, or is one of another order
     * @throws IllegalArgumentException if the query is for another index, or the order by a field of another one
     * @throws CancellationException if {@code isStopped} returned true; the message names the offering and the row
     */
    public static PricePage of(
            PriceIndex index, PriceQuery query, Order order, @Nullable String cursor, BooleanSupplier isStopped) {
        String[] parts = cursor == null ? null : parts(cursor, order);
        Key after = parts == null ? null : Key.of(parts);
        index.requireOwn(query);
        if (order.field != null) {
            query.fields.requireOwn(order.field);
        }
        Snapshot snapshot = index.snapshot();
        Comparator<Key> byKey = order.comparator();
        Comparator<Candidate> byPlace = Comparator.comparing(Candidate::key, byKey);
        PriorityQueue<Candidate> best = new PriorityQueue<>(byPlace.reversed());
        int limit = query.limit();
        boolean[] hasMore = new boolean[1];
        if (query.bind(snapshot.codes())) {
            snapshot.forEach(query, isStopped, (number, block, row) -> {
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
        List<Candidate> page = new ArrayList<>(best);
        page.sort(byPlace);
        String next = hasMore[0] ? page.get(page.size() - 1).key().cursor(snapshot.version(), order) : null;
        return new PricePage(
                snapshot.version(),
                parts != null && Long.parseLong(parts[0]) != snapshot.version(),
                page.stream()
                        .map(one -> index.price(snapshot, one.number(), one.block(), one.row()))
                        .toList(),
                next);
    }

    /** Returns the parts of a cursor, which can be parsed. */
    private static String[] parts(String cursor, Order order) {
        String[] parts;
        try {
            parts = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8).split("\n", 5);
            if (parts.length < 5 || Long.parseLong(parts[0]) < 1) {
                throw new IllegalArgumentException("parts=" + parts.length);
            }
            Key.of(parts);
        } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
            throw new InvalidValueException("not a cursor of a page: cursor=" + FieldType.shown(cursor), e);
        }
        if (!parts[1].equals(order.toString())) {
            throw new InvalidValueException("cursor of another order: cursor=" + FieldType.shown(cursor));
        }
        return parts;
    }
}
