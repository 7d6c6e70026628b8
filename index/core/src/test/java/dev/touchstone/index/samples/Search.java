package dev.touchstone.index.samples;

import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.price.PriceIndex;
import dev.touchstone.index.price.PriceQuery;
import dev.touchstone.index.price.SearchResult;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** The price of one offering under conditions, and what to do when there is none, or more than one. */
final class Search {
    private Search() {}

    /** Returns what three customers are told. */
    static List<String> run() {
        PriceIndex index = PriceIndex.builder()
                .string("region", "customer")
                .integer("term")
                .build(List.of(
                        price("list", Map.of("region", "north", "term", 12L), "49.90", false),
                        price("loyal", Map.of("region", "north", "term", 12L, "customer", "gold"), "39.90", true),
                        price("long", Map.of("region", "north", "term", 24L), "44.90", false)));
        PriceQuery query = index.query(); // for one thread, again and again
        SearchResult known =
                index.search(query.offering("fibre").eq("region", "north").eq("term", 24L));
        SearchResult several =
                index.search(query.clear().offering("fibre").eq("term", 12L).policy(MatchPolicy.ERROR));
        SearchResult none = index.search(query.clear().offering("fibre").eq("region", "south"));
        return List.of(answer(known), answer(several), answer(none));
    }

    private static String answer(SearchResult result) {
        if (result instanceof SearchResult.Found found) {
            return found.id(0) + " for " + found.value(0);
        }
        return result instanceof SearchResult.Ambiguous several ? "one of " + several.matches() : "nothing";
    }

    private static Price price(String id, Map<String, Object> conditions, String value, boolean isDefault) {
        return new Price(id, "fibre", conditions, new BigDecimal(value), "EUR", isDefault, null);
    }
}
