package dev.touchstone.benchmarks.index.tariff;

import static com.googlecode.cqengine.query.QueryFactory.and;
import static com.googlecode.cqengine.query.QueryFactory.equal;

import com.googlecode.cqengine.ConcurrentIndexedCollection;
import com.googlecode.cqengine.IndexedCollection;
import com.googlecode.cqengine.attribute.Attribute;
import com.googlecode.cqengine.attribute.SimpleAttribute;
import com.googlecode.cqengine.index.compound.CompoundIndex;
import com.googlecode.cqengine.query.Query;
import com.googlecode.cqengine.query.option.QueryOptions;
import com.googlecode.cqengine.resultset.ResultSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * CQEngine: a compound index of offering and fields, and a query for each combination of fields that prices have values of, the most specific
 * combination first, up to the first price.
 *
 * <p>One query with {@code in(field, value, "")} for each field, or with {@code has}, reads the prices of the rarest condition: thousands.
 */
public final class CqengineTariffs implements TariffSearch {
    private static final String ABSENT = "";

    private final IndexedCollection<Tariff> rows = new ConcurrentIndexedCollection<>();
    private final Attribute<Tariff, String> offering = new Text(-1);
    private final List<Attribute<Tariff, String>> fields = new ArrayList<>();
    private final int[] combinations; // specificities that prices have, in falling order

    /** The offering of a price, or the value of a field. */
    private static final class Text extends SimpleAttribute<Tariff, String> {
        private final int field;

        Text(int field) {
            super(Tariff.class, String.class, "text" + field);
            this.field = field;
        }

        @Override
        public String getValue(Tariff row, QueryOptions options) {
            if (field < 0) {
                return row.offering();
            }
            String value = row.values()[field];
            return value == null ? ABSENT : value;
        }
    }

    /** Copies a tariff list into a collection in the heap. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of attributes
    public CqengineTariffs(List<Tariff> prices) {
        List<Attribute<Tariff, ?>> compound = new ArrayList<>(List.of(offering));
        for (int i = 0; i < TariffList.FIELDS; i++) {
            fields.add(new Text(i));
            compound.add(fields.get(i));
        }
        rows.addIndex(CompoundIndex.onAttributes(compound.toArray(Attribute[]::new)));
        rows.addAll(prices);
        Set<Integer> known = new TreeSet<>(Comparator.reverseOrder());
        prices.forEach(price -> known.add(price.specificity()));
        combinations = known.stream().mapToInt(Integer::intValue).toArray();
    }

    @Override
    public int search(TariffRequest request) {
        Query<Tariff> first = equal(offering, request.offering());
        for (int combination : combinations) {
            List<Query<Tariff>> others = new ArrayList<>(TariffList.FIELDS);
            for (int i = 0; i < TariffList.FIELDS; i++) {
                boolean isGiven = (combination >>> (TariffList.FIELDS - 1 - i) & 1) != 0;
                others.add(equal(fields.get(i), isGiven ? request.values()[i] : ABSENT));
            }
            try (ResultSet<Tariff> found = rows.retrieve(and(first, others.get(0), others.subList(1, others.size())))) {
                Iterator<Tariff> prices = found.iterator();
                if (prices.hasNext()) {
                    return prices.next().number();
                }
            }
        }
        return NONE;
    }
}
