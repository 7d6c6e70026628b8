package dev.touchstone.index;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to a query. Immutable, thread-safe, and of one version of the index, which it keeps alive. */
public sealed interface SearchResult {
    /** The version of the index that it is true for. */
    long version();

    /** No price matches; {@link PriceIndex#explain} tells why. */
    record NotFound(long version) implements SearchResult {}

    /**
     * More prices match than were asked for.
     *
     * @param matches how many
     */
    record Ambiguous(long version, long matches) implements SearchResult {}

    /** One price, or for {@link MatchPolicy#ALL} a list of them. The values of each are read when they are asked for. */
    final class Found implements SearchResult {
        private final PriceIndex index;
        private final Snapshot snapshot;
        private final Segment segment; // of the first
        private final int row;
        private final long[] places; // of all, if there are several
        private final long matches;

        Found(PriceIndex index, Snapshot snapshot, long place) {
            this(index, snapshot, place, new long[0], 1);
        }

        Found(PriceIndex index, Snapshot snapshot, long place, long[] places, long matches) {
            this.index = index;
            this.snapshot = snapshot;
            this.places = places;
            this.matches = matches;
            segment = snapshot.segments()[(int) (place >>> Integer.SIZE)];
            row = (int) place;
        }

        @Override
        public long version() {
            return snapshot.version();
        }

        /** How many prices this holds. */
        public int size() {
            return Math.max(1, places.length);
        }

        /** How many prices match; for {@link MatchPolicy#ALL} it may be more than this holds. */
        public long matches() {
            return matches;
        }

        private Segment segment(int i) {
            return i == 0 ? segment : snapshot.segments()[(int) (places[i] >>> Integer.SIZE)];
        }

        private int row(int i) {
            return i == 0 ? row : (int) places[i];
        }

        /** The i-th price, from 0, with all that it has. */
        public Price price(int i) {
            return index.price(snapshot, segment(i), row(i));
        }

        /** All prices. */
        public List<Price> prices() {
            List<Price> list = new ArrayList<>(size());
            for (int i = 0; i < size(); i++) {
                list.add(price(i));
            }
            return list;
        }

        public String id(int i) {
            return segment(i).prices.id(row(i));
        }

        /** Whether the id of the i-th price is a UUID, so that {@link #idHigh} and {@link #idLow} are its halves. */
        public boolean hasUuid(int i) {
            return segment(i).prices.hasUuids();
        }

        public long idHigh(int i) {
            return segment(i).prices.idHigh(row(i));
        }

        public long idLow(int i) {
            return segment(i).prices.idLow(row(i));
        }

        /** The payload of the i-th price, or null if it has none. */
        public @Nullable String payload(int i) {
            return index.payload(segment(i), row(i));
        }

        public BigDecimal value(int i) {
            return segment(i).prices.value(row(i));
        }

        /** The value without its point, which {@link #scale} tells. */
        public long unscaledValue(int i) {
            return segment(i).prices.unscaled(row(i));
        }

        public int scale(int i) {
            return segment(i).prices.scale(row(i));
        }

        public String currency(int i) {
            return snapshot.currencies().value(segment(i).prices.currency(row(i)));
        }

        /** What the i-th price has for a string field, or an empty text. */
        public String text(int i, Field field) {
            if (field.type().isOrdered()) {
                throw new IllegalArgumentException("not a string: field=" + field.name());
            }
            int code = segment(i).code(row(i), field.ordinal());
            return code == 0 ? "" : snapshot.dictionaries()[field.ordinal()].value(code);
        }

        @Override
        public String toString() {
            return "Found[version=" + version() + ", matches=" + matches + ", first=" + price(0) + "]";
        }
    }
}
