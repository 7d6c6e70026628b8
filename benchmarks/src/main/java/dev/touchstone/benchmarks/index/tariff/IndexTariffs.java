package dev.touchstone.benchmarks.index.tariff;

import dev.touchstone.index.Field;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import java.util.List;

/** Our index, with wildcards. */
public final class IndexTariffs implements TariffSearch {
    private final PriceIndex index;
    private final PriceQuery query;
    private final Field[] fields;

    /** Indexes a tariff list, with prices that leave fields out. */
    public IndexTariffs(List<Tariff> prices) {
        index = TariffList.index(prices);
        query = index.query().wildcards(true).policy(MatchPolicy.SPECIFIC);
        fields = index.fields().toArray(Field[]::new);
    }

    @Override
    public int search(TariffRequest request) {
        PriceQuery next = query.clear().offering(request.offering());
        String[] values = request.values();
        for (int i = 0; i < fields.length; i++) {
            next.eq(fields[i], values[i]);
        }
        return index.search(next) instanceof SearchResult.Found found ? (int) found.unscaledValue(0) : NONE;
    }
}
