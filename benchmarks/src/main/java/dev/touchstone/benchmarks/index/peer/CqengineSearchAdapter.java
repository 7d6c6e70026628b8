package dev.touchstone.benchmarks.index.peer;

import static com.googlecode.cqengine.query.QueryFactory.and;
import static com.googlecode.cqengine.query.QueryFactory.between;
import static com.googlecode.cqengine.query.QueryFactory.equal;
import static com.googlecode.cqengine.query.QueryFactory.in;
import static com.googlecode.cqengine.query.QueryFactory.not;

import com.googlecode.cqengine.ConcurrentIndexedCollection;
import com.googlecode.cqengine.IndexedCollection;
import com.googlecode.cqengine.attribute.Attribute;
import com.googlecode.cqengine.attribute.SimpleNullableAttribute;
import com.googlecode.cqengine.index.compound.CompoundIndex;
import com.googlecode.cqengine.index.hash.HashIndex;
import com.googlecode.cqengine.index.navigable.NavigableIndex;
import com.googlecode.cqengine.query.Query;
import com.googlecode.cqengine.query.QueryFactory;
import com.googlecode.cqengine.query.option.QueryOptions;
import com.googlecode.cqengine.resultset.ResultSet;
import dev.touchstone.index.Field;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** CQEngine: an index for each attribute, and a compound one of all strings for requests that name them all. */
public final class CqengineSearchAdapter implements SearchUnderTest {
    private final IndexedCollection<Row> rows = new ConcurrentIndexedCollection<>();
    private final Attribute<Row, String> offering = new Text("offering", -1);
    private final List<Attribute<Row, ?>> attributes = new ArrayList<>();

    /** A price. */
    private static final class Row {
        private final int number;
        private final String offering;
        private final @Nullable Object[] values; // by field

        Row(int number, String offering, @Nullable Object[] values) {
            this.number = number;
            this.offering = offering;
            this.values = values;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Row row && row.number == number;
        }

        @Override
        public int hashCode() {
            return number;
        }
    }

    private static final class Text extends SimpleNullableAttribute<Row, String> {
        private final int ordinal;

        Text(String name, int ordinal) {
            super(Row.class, String.class, name);
            this.ordinal = ordinal;
        }

        @Override
        public @Nullable String getValue(Row row, QueryOptions options) {
            return ordinal < 0 ? row.offering : (String) row.values[ordinal];
        }
    }

    private static final class Amount extends SimpleNullableAttribute<Row, Long> {
        private final int ordinal;

        Amount(String name, int ordinal) {
            super(Row.class, Long.class, name);
            this.ordinal = ordinal;
        }

        @Override
        public @Nullable Long getValue(Row row, QueryOptions options) {
            return (Long) row.values[ordinal];
        }
    }

    /** Copies the prices into a collection with an index on each field, and one on all fields if none of them is ordered. */
    public CqengineSearchAdapter(PriceIndex index, Iterable<Price> prices) {
        this(index, prices, true);
    }

    /** Puts the prices into a collection as the constructor does, without the index of all strings together. */
    public static CqengineSearchAdapter withoutCompound(PriceIndex index, Iterable<Price> prices) {
        return new CqengineSearchAdapter(index, prices, false);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of attributes of several types
    private CqengineSearchAdapter(PriceIndex index, Iterable<Price> prices, boolean hasCompound) {
        List<Field> fields = index.fields();
        List<Attribute<Row, ?>> compound = new ArrayList<>(List.of(offering));
        for (Field field : fields) {
            if (field.type().isOrdered()) {
                Amount number = new Amount(field.name(), field.ordinal());
                attributes.add(number);
                rows.addIndex(NavigableIndex.onAttribute(number));
            } else {
                Text text = new Text(field.name(), field.ordinal());
                attributes.add(text);
                compound.add(text);
                rows.addIndex(HashIndex.onAttribute(text));
            }
        }
        rows.addIndex(HashIndex.onAttribute(offering));
        if (hasCompound && compound.size() == fields.size() + 1) {
            rows.addIndex(CompoundIndex.onAttributes(compound.toArray(Attribute[]::new)));
        }
        List<Row> all = new ArrayList<>();
        for (Price price : prices) {
            @Nullable Object[] values = new Object[fields.size()];
            for (Field field : fields) {
                values[field.ordinal()] = Stored.value(field, price.conditions().get(field.name()));
            }
            all.add(new Row(SearchUnderTest.number(price), price.offering(), values));
        }
        rows.addAll(all);
    }

    @Override
    public long search(SearchRequest request) {
        List<Query<Row>> conditions = new ArrayList<>();
        if (request.offering() != null) {
            conditions.add(equal(offering, request.offering()));
        }
        var terms = request.shape().terms();
        for (int i = 0; i < terms.size(); i++) {
            conditions.add(condition(terms.get(i), request.values(i)));
        }
        long matches = 0;
        long first = Integer.MAX_VALUE;
        try (ResultSet<Row> found = rows.retrieve(all(conditions))) {
            for (Row row : found) {
                matches++;
                first = Math.min(first, row.number);
            }
        }
        return SearchUnderTest.answer(matches, first);
    }

    private static Query<Row> all(List<Query<Row>> conditions) {
        return switch (conditions.size()) {
            case 0 -> QueryFactory.all(Row.class);
            case 1 -> conditions.get(0);
            default ->
                and(
                        conditions.get(0),
                        conditions.get(1),
                        conditions.size() == 2 ? Collections.emptyList() : conditions.subList(2, conditions.size()));
        };
    }

    @SuppressWarnings("unchecked")
    private Query<Row> condition(SearchRequest.Term term, List<Object> values) {
        Attribute<Row, ?> attribute = attributes.get(term.field().ordinal());
        if (term.operator() == SearchRequest.Operator.BETWEEN) {
            return between(
                    (Attribute<Row, Long>) attribute,
                    Stored.number(term.field(), values.get(0)),
                    Stored.number(term.field(), values.get(1)));
        }
        Attribute<Row, String> text = (Attribute<Row, String>) attribute;
        List<String> texts = (List<String>) (List<?>) values;
        return switch (term.operator()) {
            case EQ -> equal(text, texts.get(0));
            case NE -> not(equal(text, texts.get(0)));
            case IN -> in(text, texts);
            case NOT_IN -> not(in(text, texts));
            case BETWEEN -> throw new IllegalStateException();
        };
    }
}
