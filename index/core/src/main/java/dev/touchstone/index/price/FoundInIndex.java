package dev.touchstone.index.price;

import dev.touchstone.index.Field;
import dev.touchstone.index.Price;
import dev.touchstone.index.engine.ResultCollector;
import dev.touchstone.index.engine.Segment;
import dev.touchstone.index.engine.Snapshot;
import java.math.BigDecimal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A result that refers to a version of the index in memory, and reads the values of its prices there. Immutable and thread-safe. */
final class FoundInIndex extends SearchResult.Found {
    private static final long[] ONE = {}; // in place of the place of a single price

    private final PriceIndex index;
    private final Snapshot snapshot;
    private final int number; // of the offering of the first price
    private final Segment segment; // of the first price
    private final int row; // of the first price
    private final long[] places; // of all prices, if there are several
    private final long matches;

    /** Creates a result of one price. */
    FoundInIndex(PriceIndex index, Snapshot snapshot, long place) {
        this(index, snapshot, place, ONE, 1);
    }

    /** Creates a result of all matches that were kept, at least one. */
    FoundInIndex(PriceIndex index, Snapshot snapshot, ResultCollector found) {
        this(
                index,
                snapshot,
                found.places[0],
                found.kept == 1 ? ONE : Arrays.copyOf(found.places, found.kept),
                found.count);
    }

    private FoundInIndex(PriceIndex index, Snapshot snapshot, long place, long[] places, long matches) {
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

    @Override
    public int size() {
        return Math.max(1, places.length);
    }

    @Override
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

    @Override
    public Price price(int i) {
        return index.price(snapshot, number(i), segment(i), row(i));
    }

    @Override
    public String id(int i) {
        return segment(i).prices.id(row(i));
    }

    @Override
    public boolean hasUuid(int i) {
        return segment(i).prices.hasUuids();
    }

    @Override
    public long idHigh(int i) {
        return segment(i).prices.idHigh(row(i));
    }

    @Override
    public long idLow(int i) {
        return segment(i).prices.idLow(row(i));
    }

    @Override
    public @Nullable String payload(int i) {
        return index.payload(segment(i), row(i));
    }

    @Override
    public BigDecimal value(int i) {
        return segment(i).prices.value(row(i));
    }

    @Override
    public long unscaledValue(int i) {
        return segment(i).prices.unscaled(row(i));
    }

    @Override
    public int scale(int i) {
        return segment(i).prices.scale(row(i));
    }

    @Override
    public String currency(int i) {
        return snapshot.currencies().value(segment(i).prices.currency(row(i)));
    }

    @Override
    public @Nullable Object value(int i, Field field) {
        return snapshot.value(segment(i), row(i), field);
    }

    @Override
    public String offering(int i) {
        return snapshot.offering(number(i));
    }

    @Override
    public boolean isDefault(int i) {
        return segment(i).isDefault(row(i));
    }
}
