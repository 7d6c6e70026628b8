package dev.touchstone.index.price;

import dev.touchstone.index.Field;
import dev.touchstone.index.Price;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A result that holds its prices. Immutable and thread-safe. */
final class FoundPrices extends SearchResult.Found {
    private final long version;
    private final long matches;
    private final List<Price> prices;

    FoundPrices(long version, long matches, List<Price> prices) {
        if (prices.isEmpty() || prices.size() > matches) {
            throw new IllegalArgumentException("matches=" + matches + " prices=" + prices.size());
        }
        this.version = version;
        this.matches = matches;
        this.prices = prices;
    }

    @Override
    public long version() {
        return version;
    }

    @Override
    public int size() {
        return prices.size();
    }

    @Override
    public long matches() {
        return matches;
    }

    @Override
    public Price price(int i) {
        return prices.get(i);
    }

    @Override
    public String id(int i) {
        return prices.get(i).id();
    }

    @Override
    public boolean hasUuid(int i) {
        return false;
    }

    @Override
    public long idHigh(int i) {
        return 0;
    }

    @Override
    public long idLow(int i) {
        return 0;
    }

    @Override
    public @Nullable String payload(int i) {
        return prices.get(i).payload();
    }

    @Override
    public BigDecimal value(int i) {
        return prices.get(i).value();
    }

    @Override
    public long unscaledValue(int i) {
        return value(i).unscaledValue().longValueExact();
    }

    @Override
    public int scale(int i) {
        return value(i).scale();
    }

    @Override
    public String currency(int i) {
        return prices.get(i).currency();
    }

    @Override
    public @Nullable Object value(int i, Field field) {
        return prices.get(i).conditions().get(field.name());
    }

    @Override
    public String offering(int i) {
        return prices.get(i).offering();
    }

    @Override
    public boolean isDefault(int i) {
        return prices.get(i).isDefault();
    }
}
