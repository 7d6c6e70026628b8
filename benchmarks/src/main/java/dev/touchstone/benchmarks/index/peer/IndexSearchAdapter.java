package dev.touchstone.benchmarks.index.peer;

import dev.touchstone.index.Field;
import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;

/** Our index. */
public final class IndexSearchAdapter implements SearchUnderTest {
    private final PriceIndex index;
    private final PriceQuery query;

    /** Searches an index. */
    public IndexSearchAdapter(PriceIndex index) {
        this.index = index;
        query = index.query().policy(MatchPolicy.ALL).limit(1);
    }

    /** Searches an index, which has the prices already. */
    public IndexSearchAdapter(PriceIndex index, Iterable<Price> unusedPrices) {
        this(index);
    }

    @Override
    public long search(SearchRequest request) {
        return answer(index.search(asked(query, request)));
    }

    /**
     * Returns a query with what a request asks for, in place of what it had.
     *
     * @param query query of an index with the same fields
     */
    public static PriceQuery asked(PriceQuery query, SearchRequest request) {
        PriceQuery next = query.clear();
        String offering = request.offering();
        if (offering != null) {
            next.offering(offering);
        }
        var terms = request.shape().terms();
        for (int i = 0; i < terms.size(); i++) {
            add(next, terms.get(i), request, i);
        }
        return next;
    }

    /** Returns the answer that a result gives. */
    public static long answer(SearchResult result) {
        return result instanceof SearchResult.Found found
                ? SearchUnderTest.answer(found.matches(), found.unscaledValue(0))
                : 0;
    }

    private static void add(PriceQuery next, SearchRequest.Term term, SearchRequest request, int i) {
        Field field = term.field();
        switch (term.operator()) {
            case EQ -> next.eq(field, request.value(i));
            case NE -> next.ne(field, request.value(i));
            case IN -> next.in(field, request.values(i));
            case NOT_IN -> next.notIn(field, request.values(i));
            case BETWEEN ->
                next.between(field, request.values(i).get(0), request.values(i).get(1));
        }
    }
}
