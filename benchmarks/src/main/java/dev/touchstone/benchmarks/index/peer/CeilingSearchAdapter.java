package dev.touchstone.benchmarks.index.peer;

import dev.touchstone.index.Field;
import dev.touchstone.index.Price;
import dev.touchstone.index.PriceIndex;
import java.util.HashMap;
import java.util.Map;

/** The look-ups of a request's strings in a {@link HashMap} for each field, and no search: what no search by codes can be without. */
public final class CeilingSearchAdapter implements SearchUnderTest {
    private final Map<String, Integer> offerings = new HashMap<>();
    private final Map<Field, Map<String, Integer>> codes = new HashMap<>();
    private final Map<?, ?>[] byField;

    public CeilingSearchAdapter(PriceIndex index, Iterable<Price> prices) {
        byField = new Map<?, ?>[index.fields().size()];
        for (Price price : prices) {
            offerings.putIfAbsent(price.offering(), offerings.size());
            for (Field field : index.fields()) {
                Map<String, Integer> known = codes.computeIfAbsent(field, key -> new HashMap<>());
                byField[field.ordinal()] = known;
                if (price.conditions().get(field.name()) instanceof String text) {
                    known.putIfAbsent(text, known.size());
                }
            }
        }
    }

    @Override
    public long search(SearchRequest request) {
        String offering = request.offering();
        long sum = offering == null ? 0 : code(offerings, offering);
        var terms = request.shape().terms();
        for (int i = 0; i < terms.size(); i++) {
            sum = sum * 31 + code(byField[terms.get(i).field().ordinal()], request.value(i));
        }
        return sum;
    }

    private static int code(Map<?, ?> codes, Object value) {
        return codes.get(value) instanceof Integer code ? code : 0;
    }
}
