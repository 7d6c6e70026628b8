package dev.touchstone.benchmarks.index;

import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.benchmarks.index.peer.SearchRequest.Term;
import dev.touchstone.benchmarks.index.peer.SearchUnderTest;
import dev.touchstone.index.Price;
import java.util.List;

/** The answer to a search by a comparison of each price, without any of the code of the subjects. Pure functions. */
final class ScanModel {
    private ScanModel() {}

    /** Returns the answer to a request, as {@link SearchUnderTest#answer} packs it. */
    static long answer(SearchRequest request, Iterable<Price> prices) {
        long matches = 0;
        long first = 0;
        for (Price price : prices) {
            if (isMet(request, price)) {
                first = matches == 0 ? price.value().longValueExact() : first;
                matches++;
            }
        }
        return SearchUnderTest.answer(matches, first);
    }

    private static boolean isMet(SearchRequest request, Price price) {
        String offering = request.offering();
        boolean isMet = offering == null || offering.equals(price.offering());
        List<Term> terms = request.shape().terms();
        for (int i = 0; i < terms.size() && isMet; i++) {
            Object value = price.conditions().get(terms.get(i).field().name());
            List<Object> values = request.values(i);
            isMet = switch (terms.get(i).operator()) {
                case EQ, IN -> value != null && values.contains(value);
                case NE, NOT_IN -> value == null || !values.contains(value);
                case BETWEEN ->
                    value != null && compare(values.get(0), value) <= 0 && compare(value, values.get(1)) <= 0;
            };
        }
        return isMet;
    }

    @SuppressWarnings("unchecked") // values of one field have one type
    static int compare(Object one, Object other) {
        return ((Comparable<Object>) one).compareTo(other);
    }
}
