package dev.touchstone.benchmarks.index.peer;

import dev.touchstone.index.Field;
import dev.touchstone.index.Price;
import dev.touchstone.index.PriceIndex;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The look-ups of a request's strings in a hash table for each field, and no search: what no search by codes can be without.
 *
 * <p>Strings are hashed each time, as those of a request that was just received must be. A {@link HashMap} would not do that: a string keeps its
 * hash, and that of each request would be known from the second round on.
 */
public final class CeilingSearchAdapter implements SearchUnderTest {
    private final Table offerings;
    private final Table[] byField;

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
        offerings = new Table(keys);
        byField = new Table[fields];
        Arrays.setAll(byField, at -> new Table(codes.getOrDefault(at, Map.of())));
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

    /** Strings by their hash, in open addressing, at most a quarter full. */
    private static final class Table {
        private final String[] texts;
        private final int[] codes;

        Table(Map<String, Integer> all) {
            texts = new String[Integer.highestOneBit(all.size() + 1) * 8];
            codes = new int[texts.length];
            Arrays.fill(texts, "");
            all.forEach((text, code) -> {
                int at = place(text);
                texts[at] = text;
                codes[at] = code;
            });
        }

        int code(String text) {
            return codes[place(text)];
        }

        private int place(String text) {
            int hash = 0;
            for (int i = 0; i < text.length(); i++) {
                hash = hash * 31 + text.charAt(i);
            }
            int at = (hash ^ (hash >>> 16)) & (texts.length - 1);
            while (!texts[at].isEmpty() && !texts[at].equals(text)) {
                at = (at + 1) & (texts.length - 1);
            }
            return at;
        }
    }
}
