package dev.touchstone.index.loader;

import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceBatch;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.SearchResult;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.BitSet;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The difference between an index and a complete list of prices: the changes that leave exactly the prices of the list in the index. Prices that are in both
 * with the same values are not changed and keep their places. Not thread-safe.
 *
 * <p>The difference is that of the version which the index has when this object is created; that version stays in memory as long as this object does. To
 * create the object, and each comparison, takes time in proportion to the prices of the index and of the list. The object takes 25 to 42 bytes for each
 * price of the index, and a comparison holds one price of the list and one batch at a time.
 *
 * {@snippet :
 * try (PriceLoad load = PriceLoader.csv(file, PriceSchema.of(index), LoadOptions.DEFAULT)) {
 *     new PriceDifference(index).compare(load, index::update);
 * }
 * }
 */
public final class PriceDifference {
    /** Maximum number of bytes that the texts and numbers of a batch take, unless a single price takes more. */
    public static final int MAX_BATCH_BYTES = 16 << 20;

    private static final int CHAR_BYTES = 3; // maximum in UTF-8
    private static final int NUMBER_BYTES = 10; // with its field
    private static final int FRAME_BYTES = 40; // lengths, flags and value of one change

    private final SearchResult.@Nullable Found found; // all prices of the index; null if there are none
    private final int count;
    private final long[]
            slots; // hash table: number of a price in `found` plus 1, below the upper half of its hash; 0 in a free
    // slot
    private final long seed = System.nanoTime(); // so that nobody can choose ids that collide
    private final long maxBatchBytes;

    /**
     * Numbers of prices of one comparison.
     *
     * @param put number of prices that are new or differ
     * @param removed number of prices that the list does not have
     * @param unchanged number of prices that are the same
     * @param batches number of batches that have the changes; 0 if there are none
     */
    public record Summary(long put, long removed, long unchanged, int batches) {}

    /** A receiver of batches. */
    @FunctionalInterface
    public interface Receiver {
        /**
         * Takes the next batch, which belongs to the receiver from now on.
         *
         * @param batch changes, at least one
         * @throws IOException if the batch cannot be used; ends the comparison
         */
        void accept(PriceBatch batch) throws IOException;
    }

    /**
     * Creates the difference from the current version of an index, in batches of up to {@link #MAX_BATCH_BYTES}.
     *
     * @param index index to compare with, not null
     */
    public PriceDifference(PriceIndex index) {
        this(index, MAX_BATCH_BYTES);
    }

    PriceDifference(PriceIndex index, long maxBatchBytes) {
        this.maxBatchBytes = maxBatchBytes;
        SearchResult result = index.search(index.query().policy(MatchPolicy.ALL).limit(Integer.MAX_VALUE));
        found = result instanceof SearchResult.Found prices ? prices : null;
        count = found == null ? 0 : found.size();
        slots = new long[Math.max(2, Integer.highestOneBit(Math.max(1, count)) << 2)];
        for (int i = 0; i < count; i++) {
            Objects.requireNonNull(found, "found");
            long hash = hash(found.offering(i), found.id(i));
            int slot = (int) hash & slots.length - 1;
            while (slots[slot] != 0) {
                slot = slot + 1 & slots.length - 1;
            }
            slots[slot] = hash >>> Integer.SIZE << Integer.SIZE | i + 1;
        }
    }

    /**
     * Compares a complete list with the index, and passes on the changes: first the prices of the list that are new or differ, in their order, then the
     * removals of those that the list does not have. May be called again, as when a first call has only checked the list.
     *
     * @param prices complete list, in which no price may stand twice, as in none that a {@link PriceLoad} reads
     * @param receiver receiver of the batches, called by this thread
     * @return numbers of prices
     * @throws IOException if the receiver throws it; other exceptions of the list and the receiver pass through, too
     */
    public Summary compare(Iterable<Price> prices, Receiver receiver) throws IOException {
        BitSet kept = new BitSet(count);
        Batches batches = new Batches(receiver);
        long put = 0;
        long unchanged = 0;
        for (Price price : prices) {
            int known = find(price);
            if (known >= 0) {
                kept.set(known);
            }
            if (known >= 0 && isSame(Objects.requireNonNull(found, "found").price(known), price)) {
                unchanged++;
            } else {
                put++;
                batches.next(bytes(price)).put(price);
            }
        }
        long removed = 0;
        for (int i = kept.nextClearBit(0); i < count; i = kept.nextClearBit(i + 1)) {
            SearchResult.Found all = Objects.requireNonNull(found, "found");
            batches.next(FRAME_BYTES + bytes(all.offering(i)) + bytes(all.id(i)))
                    .remove(all.offering(i), all.id(i));
            removed++;
        }
        batches.pass();
        return new Summary(put, removed, unchanged, batches.passed);
    }

    /** Returns the number in `found` of the price with the offering and the id of a price; -1 if there is none. */
    private int find(Price price) {
        long hash = hash(price.offering(), price.id());
        int slot = (int) hash & slots.length - 1;
        while (slots[slot] != 0) {
            int number = (int) slots[slot] - 1;
            SearchResult.Found all = Objects.requireNonNull(found, "found");
            if (slots[slot] >>> Integer.SIZE == hash >>> Integer.SIZE
                    && all.id(number).equals(price.id())
                    && all.offering(number).equals(price.offering())) {
                return number;
            }
            slot = slot + 1 & slots.length - 1;
        }
        return -1;
    }

    private long hash(String offering, String id) {
        return mixed(mixed(seed, offering), id);
    }

    private static long mixed(long start, String text) {
        long hash = start + text.length();
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }

    /** Returns whether two prices are the same for an index, which keeps decimal conditions with the digits of their field. */
    private static boolean isSame(Price one, Price other) {
        Map<String, Object> conditions = other.conditions();
        return one.value().compareTo(other.value()) == 0
                && one.value().scale() == other.value().scale()
                && one.isDefault() == other.isDefault()
                && one.currency().equals(other.currency())
                && Objects.equals(one.payload(), other.payload())
                && one.conditions().size() == conditions.size()
                && one.conditions().entrySet().stream()
                        .allMatch(condition -> isSame(condition.getValue(), conditions.get(condition.getKey())));
    }

    private static boolean isSame(Object one, @Nullable Object other) {
        if (one instanceof BigDecimal decimal && other instanceof BigDecimal otherDecimal) {
            return decimal.compareTo(otherDecimal) == 0;
        }
        return one.equals(other);
    }

    /** Returns an upper bound of the bytes of a price. */
    private static long bytes(Price price) {
        String payload = price.payload();
        long bytes = FRAME_BYTES
                + bytes(price.offering())
                + bytes(price.id())
                + bytes(price.currency())
                + (payload == null ? 0 : bytes(payload));
        for (Object value : price.conditions().values()) {
            bytes += NUMBER_BYTES + bytes(value.toString());
        }
        return bytes;
    }

    private static long bytes(String text) {
        return (long) CHAR_BYTES * text.length();
    }

    /** The batches of one comparison. */
    private final class Batches {
        private final Receiver receiver;
        private PriceBatch batch = new PriceBatch();
        private long bytes;
        private int passed;

        Batches(Receiver receiver) {
            this.receiver = receiver;
        }

        /** Returns the batch that takes a change of so many bytes. */
        PriceBatch next(long changeBytes) throws IOException {
            if (bytes + changeBytes > maxBatchBytes) {
                pass();
            }
            bytes += changeBytes;
            return batch;
        }

        void pass() throws IOException {
            if (batch.size() > 0) {
                PriceBatch full = batch;
                batch = new PriceBatch();
                bytes = 0;
                passed++;
                receiver.accept(full);
            }
        }
    }
}
