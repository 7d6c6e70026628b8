package dev.touchstone.benchmarks.index.cluster;

import dev.touchstone.benchmarks.index.peer.SearchRequest;
import dev.touchstone.benchmarks.index.peer.SearchRequest.Operator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The conditions of requests that ask for one string of each field and for an offering, the only ones that clusters are asked. Pure functions. */
final class Conditions {
    private Conditions() {}

    /** Returns the strings by the names of their fields. */
    static Map<String, String> of(SearchRequest request) {
        List<SearchRequest.Term> terms = request.shape().terms();
        Map<String, String> conditions = new LinkedHashMap<>();
        for (int i = 0; i < terms.size(); i++) {
            conditions.put(terms.get(i).field().name(), string(request, i));
        }
        return conditions;
    }

    /** Returns the string of a term. */
    static String string(SearchRequest request, int term) {
        SearchRequest.Term asked = request.shape().terms().get(term);
        if (asked.operator() != Operator.EQ || !(request.value(term) instanceof String string)) {
            throw new UnsupportedOperationException("only strings are asked for: term=" + asked);
        }
        return string;
    }
}
