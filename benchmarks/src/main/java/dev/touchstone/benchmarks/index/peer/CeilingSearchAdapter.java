package dev.touchstone.benchmarks.index.peer;

import dev.touchstone.index.Field;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The look-ups of a request's strings in a hash table for each field, and no search: what no search by codes can be without.
 */
public final class CeilingSearchAdapter implements SearchUnderTest {
    private final StringCodes offerings;
    private final StringCodes[] byField;

    /** Numbers the offerings and the strings of each field, for the lookups. */
    public CeilingSearchAdapter(PriceIndex index, Iterable<Price> prices) {
        Map<String, Integer> keys = new HashMap<>();
        int fields = index.fields().size();
        Map<Integer, Map<String, Integer>> codes = new HashMap<>();
        for (Price price : prices) {
            keys.putIfAbsent(price.offering(), keys.size() + 1);
            for (Field field : index.fields()) {
                if (price.conditions().get(field.name()) instanceof String text) {
                    Map<String, Integer> known = codes.computeIfAbsent(field.ordinal(), key -> new HashMap<>());
                    known.putIfAbsent(text, known.size() + 1);
                }
            }
        }
        offerings = new StringCodes(keys);
        byField = new StringCodes[fields];
        Arrays.setAll(byField, at -> new StringCodes(codes.getOrDefault(at, Map.of())));
    }

    @Override
    public long search(SearchRequest request) {
        String offering = request.offering();
        long sum = offering == null ? 0 : offerings.code(offering);
        var terms = request.shape().terms();
        for (int i = 0; i < terms.size(); i++) {
            int code = request.value(i) instanceof String text
                    ? byField[terms.get(i).field().ordinal()].code(text)
                    : 0;
            sum = sum * 31 + code;
        }
        return sum;
    }
}
