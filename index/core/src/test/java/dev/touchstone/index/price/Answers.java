package dev.touchstone.index.price;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.index.MatchPolicy;
import dev.touchstone.index.Price;
import dev.touchstone.index.engine.QueryAccess;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an index should answer, by a plain comparison of values. */
public final class Answers {
    static final int LIMIT = 7;

    private Answers() {}

    /** The prices, of all in their order, for which all conditions hold. */
    public static List<Price> matching(List<Price> prices, @Nullable String offering, List<Condition> conditions) {
        return matching(prices, offering, conditions, false);
    }

    public static List<Price> matching(
            List<Price> prices, @Nullable String offering, List<Condition> conditions, boolean hasWildcards) {
        return prices.stream()
                .filter(price -> offering == null || price.offering().equals(offering))
                .filter(price -> conditions.stream().allMatch(condition -> condition.holds(price, hasWildcards)))
                .toList();
    }

    /** A query with handles of an index, whatever index the conditions' are of. */
    public static PriceQuery query(PriceIndex index, @Nullable String offering, List<Condition> conditions) {
        PriceQuery query = index.query().limit(LIMIT);
        if (offering != null) {
            query.offering(offering);
        }
        conditions.forEach(
                condition -> new Condition(index.field(condition.field().name()), condition.kind(), condition.values())
                        .addTo(query));
        return query;
    }

    /** That a query is answered, under each policy, as those prices demand that match. */
    public static void assertAnswers(
            PriceIndex index, PriceQuery query, List<Price> expected, long version, String what) {
        for (MatchPolicy policy : MatchPolicy.values()) {
            assertAnswer(index.search(query.policy(policy)), query, expected, version, what);
        }
    }

    /** Returns those prices of which no other one is more specific. */
    static List<Price> mostSpecific(PriceQuery query, List<Price> prices) {
        List<Price> left = prices;
        for (int field : QueryAccess.precedence(query.bound)) {
            String name = query.bound.fields().list.get(field).name();
            List<Price> having = left.stream()
                    .filter(price -> price.conditions().containsKey(name))
                    .toList();
            left = having.isEmpty() ? left : having;
        }
        return left;
    }

    /** Checks the answer to a query under its policy. */
    static void assertAnswer(SearchResult result, PriceQuery query, List<Price> matching, long version, String shown) {
        MatchPolicy policy = query.policy();
        String what = shown + " policy=" + policy;
        List<Price> expected = policy == MatchPolicy.SPECIFIC ? mostSpecific(query, matching) : matching;
        assertThat(result.version()).as(what).isEqualTo(version);
        if (expected.isEmpty()) {
            assertThat(result).as(what).isEqualTo(new SearchResult.NotFound(version));
            return;
        }
        Optional<Price> firstDefault =
                expected.stream().filter(Price::isDefault).findFirst();
        List<Price> answer = switch (policy) {
            case FIRST -> expected.subList(0, 1);
            case ALL -> expected.subList(0, Math.min(LIMIT, expected.size()));
            case ERROR -> expected.size() == 1 ? expected : List.of();
            case DEFAULT, SPECIFIC ->
                expected.size() == 1 ? expected : firstDefault.map(List::of).orElse(List.of());
        };
        if (answer.isEmpty()) {
            assertThat(result).as(what).isEqualTo(new SearchResult.Ambiguous(version, expected.size()));
            return;
        }
        SearchResult.Found found = (SearchResult.Found) result;
        assertThat(found.prices()).as(what).isEqualTo(answer);
        if (policy == MatchPolicy.ALL) {
            assertThat(found.matches()).as(what).isEqualTo(expected.size());
        }
    }
}
